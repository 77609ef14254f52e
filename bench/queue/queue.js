// Workers on one machine with a PostgreSQL server of your own (an empty database):
//   node bench/queue/queue.js throughput postgres://…   features per hour with 1, 2 and 3 workers, and the cost of a turn beside a local run
//   node bench/queue/queue.js many postgres://…         20 workers and 1,000 short features: from a free worker to a begun build
// Run `npm run build` first. WAIT, FEATURES and WORKERS change the sizes.
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';

const PROGRAM = fileURLToPath(new URL('../../bin/guardkit', import.meta.url));
const [what, url] = process.argv.slice(2);
const setting = (name, usual) => Number(process.env[name] ?? usual);

/** A project with documentation features: an agent that mostly waits, and one check each. */
function makeProject(name, features, waitSeconds) {
  const folder = mkdtempSync(join(tmpdir(), 'guardkit-bench-'));
  const git = (cwd, ...args) =>
    execFileSync('git', args, { cwd, env: gitEnv(), stdio: ['ignore', 'pipe', 'ignore'] });
  const project = join(folder, 'calc');
  mkdirSync(join(project, '.guardkit/features'), { recursive: true });
  writeFileSync(
    join(project, '.guardkit/config.yaml'),
    `project: ${name}\nverify:\n  checks:\n    - {name: base, command: 'true'}\n`,
  );
  writeFileSync(join(project, '.gitignore'), '.guardkit/logs/\n.claude/progress/\n');
  const tasks = {};
  for (let index = 1; index <= features; index++) {
    const id = `FEAT-${index}`;
    const file = `docs/${index}.md`;
    writeFileSync(
      join(project, `.guardkit/features/${id}.yaml`),
      JSON.stringify({
        id,
        name: id,
        task_type: 'documentation',
        complexity: 1,
        verify: { checks: [{ name: `${id} is there`, command: `test -s ${file}` }] },
        acceptance_criteria: ['AC-001: it is there'],
      }),
    );
    const criteria = { 'AC-001': { status: 'verified', evidence: `${id} is there` } };
    const report = {
      decision: 'implemented',
      summary: 'wrote it',
      files_modified: [file],
      criteria: { 'AC-001': 'verified' },
    };
    const run = waitSeconds > 0 ? { run: [`sleep ${waitSeconds}`] } : {};
    const verdict = { decision: 'approved', criteria, arch_score: 90, feedback: 'Good' };
    tasks[id] = { turns: [{ player: { write: { [file]: `${id}\n` }, ...run, report }, coach: { verdict } }] };
  }
  const scenario = join(folder, 'scenario.yaml');
  writeFileSync(scenario, JSON.stringify({ tasks }));
  git(project, 'init', '--quiet', '--initial-branch=main');
  git(project, 'add', '--all');
  git(project, 'commit', '--quiet', '--message', 'Base');
  git(folder, 'clone', '--quiet', '--bare', project, 'remote.git');
  git(project, 'remote', 'add', 'origin', join(folder, 'remote.git'));
  return { name, folder, project, scenario, git, ids: Object.keys(tasks) };
}

function gitEnv() {
  const who = {
    GIT_AUTHOR_NAME: 'b',
    GIT_AUTHOR_EMAIL: 'b@b',
    GIT_COMMITTER_NAME: 'b',
    GIT_COMMITTER_EMAIL: 'b@b',
  };
  return { PATH: process.env.PATH, GIT_CONFIG_GLOBAL: '/dev/null', ...who };
}

function envOf({ folder }, machine, withServer = true) {
  const home = join(folder, machine);
  mkdirSync(join(home, 'home'), { recursive: true });
  return {
    ...gitEnv(),
    HOME: join(home, 'home'),
    GUARDKIT_HOME: join(home, 'data'),
    ...(withServer ? { GUARDKIT_DATABASE_URL: url } : {}),
  };
}

function guardkit(cwd, env, ...args) {
  return execFileSync(process.execPath, [PROGRAM, ...args], {
    cwd,
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
}

/** Seconds until the queue is empty, with workers that have homes and clones of their own. */
async function runWorkers(made, count) {
  const { folder, project, scenario, ids, git } = made;
  guardkit(project, envOf(made, 'person'), 'queue', 'init');
  guardkit(project, envOf(made, 'person'), 'queue', 'add', ...ids);
  const began = performance.now();
  const ended = Array.from({ length: count }, (_, index) => {
    const clone = join(folder, `clone-${index}`);
    git(folder, 'clone', '--quiet', join(folder, 'remote.git'), clone);
    const args = [
      'worker',
      '--concurrency',
      '1',
      '--driver',
      'script',
      '--scenario',
      scenario,
      '--until-empty',
    ];
    const child = spawn(process.execPath, [PROGRAM, ...args], {
      cwd: clone,
      env: envOf(made, `machine-${index}`),
      stdio: 'ignore',
    });
    return new Promise((settle) => child.once('exit', settle));
  });
  await Promise.all(ended);
  return (performance.now() - began) / 1000;
}

async function query(text, values) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text, values)).rows;
  } finally {
    await client.end();
  }
}

async function throughput() {
  const features = setting('FEATURES', 12);
  const wait = setting('WAIT', 20);
  const alone = makeProject('local-0', features, wait);
  const began = performance.now();
  guardkit(
    alone.project,
    envOf(alone, 'person', false),
    'run',
    '--driver',
    'script',
    '--scenario',
    alone.scenario,
    '--max-turns',
    '1',
  );
  const local = (performance.now() - began) / 1000;
  rmSync(alone.folder, { recursive: true, force: true });
  const seconds = {};
  for (const count of [1, 2, 3]) {
    const made = makeProject(`bench-${count}-${Date.now() % 100000}`, features, wait);
    seconds[count] = await runWorkers(made, count);
    rmSync(made.folder, { recursive: true, force: true });
  }
  const perHour = Object.fromEntries(
    Object.entries(seconds).map(([count, time]) => [count, (features * 3600) / time]),
  );
  return {
    features,
    agent_seconds: wait,
    local_seconds: local,
    seconds,
    per_hour: perHour,
    times_with_2: perHour[2] / perHour[1],
    times_with_3: perHour[3] / perHour[1],
    overhead_ms_per_turn: ((seconds[1] - local) * 1000) / features,
  };
}

async function many() {
  const made = makeProject(`many-${Date.now() % 100000}`, setting('FEATURES', 1000), 0);
  const workers = setting('WORKERS', 20);
  const seconds = await runWorkers(made, workers);
  const claims = await query(
    `SELECT worker, extract(epoch FROM taken_at) AS taken, extract(epoch FROM released_at) AS released
     FROM guardkit_queue.claim WHERE project = $1 ORDER BY worker, taken_at`,
    [made.name],
  );
  const gaps = claims
    .flatMap((claim, index) =>
      claims[index - 1]?.worker === claim.worker ? [claim.taken - claims[index - 1].released] : [],
    )
    .sort((a, b) => a - b);
  const at = (part) => gaps[Math.min(gaps.length - 1, Math.floor(gaps.length * part))];
  const perWorker = Map.groupBy?.(claims, ({ worker }) => worker) ?? new Map();
  const counts = [...perWorker.values()].map(({ length }) => length);
  const states = await query(
    'SELECT state, count(*)::integer AS features FROM guardkit_queue.item WHERE project = $1 GROUP BY state',
    [made.name],
  );
  rmSync(made.folder, { recursive: true, force: true });
  return {
    workers,
    seconds,
    states,
    free_to_begun_s: { p50: at(0.5), p99: at(0.99), max: gaps.at(-1) },
    features_per_worker: counts,
  };
}

const benches = { throughput, many };
if (!benches[what] || !url) {
  console.error('Usage: node bench/queue/queue.js throughput|many postgres://…');
  process.exit(2);
}
console.log(JSON.stringify(await benches[what](), undefined, 2));
