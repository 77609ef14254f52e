// npm run bench [-- --quick]; npm run --silent bench -- --json
import { fork } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { measureArchitecture } from './architecture.js';
import { measureBuild } from './build.js';
import { measureFeatureNext } from './feature-next.js';
import { measureFeatures } from './features.js';
import { judgeGuards, measureGuards } from './guards.js';
import { measureHook } from './hook.js';
import { describeMachine } from './machine.js';
import { measureMcp } from './mcp.js';
import { judgePatterns, measurePatterns } from './patterns.js';
import { printReport } from './report.js';
import { measureRules } from './rules.js';
import { measureServe } from './serve.js';
import {
  judgeArchitecture,
  judgeBuild,
  judgeFeatureNext,
  judgeFeatures,
  judgeHook,
  judgeMcp,
  judgeRules,
  judgeServe,
  judgeTargets,
  judgeTransition,
  judgeVerification,
} from './targets.js';
import { measureTransition } from './transition.js';
import { measureVerification } from './verification.js';

const { values: flags } = parseArgs({ options: { json: { type: 'boolean' }, quick: { type: 'boolean' } } });
const OPERATIONS = ['upsert', 'unchanged', 'get', 'latest', 'search'];
const effort = flags.quick ? { samples: 120, budgetMs: 5_000 } : { samples: 1_200, budgetMs: 20_000 };

const CONTESTANTS = [
  { name: 'GuardKit', module: 'guardkit', sizes: flags.quick ? [1_000, 10_000] : [1_000, 10_000, 100_000] },
  { name: 'server-memory', module: 'server-memory', sizes: [1_000, 10_000] },
  { name: 'mem0ai', module: 'mem0', sizes: [1_000, 10_000] },
  // mem0ai waits for the disk on each write by default; this shows how much of its time that takes.
  { name: 'mem0ai, WAL', module: 'mem0', settings: { wal: true }, sizes: [10_000], operations: ['upsert'] },
  { name: 'bare SQLite', module: 'bare-sqlite', sizes: [1_000, 10_000], operations: ['upsert', 'get'] },
];

const folder = mkdtempSync(join(tmpdir(), 'guardkit-bench-'));
let running;
process.on('exit', () => {
  running?.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(130));

const machine = describeMachine(folder);
const figures = [];
for (const contestant of CONTESTANTS) figures.push(...(await runContestant(contestant)));
const rules = await measureRules(folder);
const verification = await measureVerification(folder);
const build = await measureBuild(folder, flags.quick ? { turns: 60 } : {});
const features = await measureFeatures(folder);
const featureNext = measureFeatureNext(folder);
const transition = await measureTransition(folder);
const guards = await measureGuards(folder);
const hook = await measureHook(folder);
const serve = await measureServe(join(folder, 'serve'), flags.quick ? { events: 1_000, decisions: 400 } : {});
const architecture = await measureArchitecture(folder);
const mcp = await measureMcp(folder);
const patterns = await measurePatterns(folder, flags.quick ? { rounds: 5 } : {});
const targets = [
  ...judgeTargets(figures),
  ...judgeRules(rules),
  ...judgeVerification(verification),
  ...judgeBuild(build),
  ...judgeFeatures(features),
  ...judgeFeatureNext(featureNext),
  ...judgeTransition(transition),
  ...judgeGuards(guards),
  ...judgeHook(hook),
  ...judgeServe(serve),
  ...judgeArchitecture(architecture),
  ...judgeMcp(mcp),
  ...judgePatterns(patterns),
];

if (flags.json)
  console.log(
    JSON.stringify(
      {
        machine,
        figures,
        rules,
        verification,
        build,
        features,
        featureNext,
        transition,
        guards,
        hook,
        serve,
        architecture,
        mcp,
        patterns,
        targets,
      },
      null,
      2,
    ),
  );
else printReport({ machine, figures, targets, contestants: CONTESTANTS.map(({ name }) => name) });

function runContestant({ name, ...plan }) {
  const home = join(folder, name.replaceAll(/\W+/g, '-'));
  mkdirSync(home);
  const order = JSON.stringify({ operations: OPERATIONS, ...effort, ...plan });
  return new Promise((resolve, reject) => {
    const found = [];
    const refused = [];
    let complaints = '';
    running = fork(new URL('run-contestant.js', import.meta.url), [home, order], {
      cwd: home,
      env: { ...process.env, HOME: home },
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    running.stderr.on('data', (data) => {
      complaints += data;
    });
    running.on('message', (message) => {
      refused.push(...(message.refusedConnections ?? []));
      if (!message.operation) return;
      console.error(`${name}: ${message.operation} at ${message.size}`);
      found.push({ contestant: name, ...message });
    });
    running.on('exit', (code, signal) => {
      if (code === 0 && refused.length === 0) return resolve(found);
      const ending =
        refused.length > 0 ? `tried to reach ${refused.join(', ')}` : `ended with ${signal ?? code}`;
      reject(new Error(`${name} ${ending}\n${complaints}`));
    });
  });
}
