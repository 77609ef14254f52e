// Projects, machines and workers for the benches of the queue.
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';

const PROGRAM = fileURLToPath(new URL('../../bin/guardkit', import.meta.url));

export const setting = (name, usual) => Number(process.env[name] ?? usual);

let count = 0;

/** A project with documentation features: an agent that mostly waits, and one check each. The last turn is approved. */
export function makeProject(features, { waitSeconds = 0, turns = 1 } = {}) {
  const name = `bench-${process.pid}-${++count}`;
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
    writeFileSync(join(project, `.guardkit/features/${id}.yaml`), JSON.stringify(definition(id, file)));
    const run = waitSeconds > 0 ? { run: [`sleep ${waitSeconds}`] } : {};
    tasks[id] = {
      turns: Array.from({ length: turns }, (_, turn) => played(id, file, run, turn, turn === turns - 1)),
    };
  }
  const scenario = join(folder, 'scenario.yaml');
  writeFileSync(scenario, JSON.stringify({ tasks }));
  git(project, 'init', '--quiet', '--initial-branch=main');
  git(project, 'add', '--all');
  git(project, 'commit', '--quiet', '--message', 'Base');
  git(folder, 'clone', '--quiet', '--bare', project, 'remote.git');
  git(project, 'remote', 'add', 'origin', join(folder, 'remote.git'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  return { name, folder, project, scenario, git, ids: Object.keys(tasks), remove };
}

function definition(id, file) {
  return {
    id,
    name: id,
    task_type: 'documentation',
    complexity: 1,
    verify: { checks: [{ name: `${id} is there`, command: `test -s ${file}` }] },
    acceptance_criteria: ['AC-001: it is there'],
  };
}

function played(id, file, run, turn, isLast) {
  const path = isLast ? file : `${file}.${turn}`;
  const report = {
    decision: 'implemented',
    summary: 'wrote it',
    files_modified: [path],
    criteria: { 'AC-001': 'verified' },
  };
  const criteria = isLast
    ? { 'AC-001': { status: 'verified', evidence: `${id} is there` } }
    : { 'AC-001': { status: 'rejected', evidence: 'none' } };
  const verdict = isLast
    ? { decision: 'approved', criteria, arch_score: 90, feedback: 'Good' }
    : { decision: 'feedback', criteria, feedback: `Turn ${turn + 1} lacks ${file}.` };
  return { player: { write: { [path]: `${id}\n` }, ...run, report }, coach: { verdict } };
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

export function envOf({ folder }, machine, url) {
  const home = join(folder, machine);
  mkdirSync(join(home, 'home'), { recursive: true });
  return {
    ...gitEnv(),
    HOME: join(home, 'home'),
    GUARDKIT_HOME: join(home, 'data'),
    ...(url === undefined ? {} : { GUARDKIT_DATABASE_URL: url }),
  };
}

export function guardkit(cwd, env, ...args) {
  return execFileSync(process.execPath, [PROGRAM, ...args], {
    cwd,
    env,
    encoding: 'utf8',
    // An error has what it printed.
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

export function queueAll(made, url) {
  guardkit(made.project, envOf(made, 'person', url), 'queue', 'init');
  guardkit(made.project, envOf(made, 'person', url), 'queue', 'add', ...made.ids);
}

/** A worker with a home and a clone of its own. */
export function startWorker(made, machine, url, args = ['--until-empty']) {
  const { folder, scenario, git } = made;
  const clone = join(folder, `clone-${machine}`);
  git(folder, 'clone', '--quiet', join(folder, 'remote.git'), clone);
  const line = ['worker', '--concurrency', '1', '--driver', 'script', '--scenario', scenario, ...args];
  const child = spawn(process.execPath, [PROGRAM, ...line], {
    cwd: clone,
    env: envOf(made, `machine-${machine}`, url),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let printed = '';
  child.stderr.on('data', (bytes) => {
    printed = (printed + bytes).slice(-4000);
  });
  const ended = new Promise((settle) => child.once('exit', (code) => settle(code)));
  return { child, ended, printed: () => printed };
}

/** Seconds until the queue is empty. */
export async function runWorkers(made, workers, url) {
  queueAll(made, url);
  const began = performance.now();
  const started = Array.from({ length: workers }, (_, index) => startWorker(made, index, url));
  for (const { ended, printed } of started)
    if ((await ended) !== 0) throw new Error(`a worker failed:\n${printed()}`);
  return (performance.now() - began) / 1000;
}

/** The same with workers that are started again when they end early. Returns what they printed then. */
export async function keepWorkers(made, workers, url) {
  queueAll(made, url);
  const ends = [];
  const keep = async (index) => {
    for (let time = 0; ; time++) {
      const { ended, printed } = startWorker(made, `${index}-${time}`, url);
      if ((await ended) === 0) return;
      ends.push(printed().trim().split('\n').at(-1));
      if (ends.length > workers * 3) throw new Error(`workers keep failing:\n${printed()}`);
    }
  };
  await Promise.all(Array.from({ length: workers }, (_, index) => keep(index)));
  return { ends };
}

/** Seconds of `guardkit run`; with a URL, its memory is on that server. */
export function runLocally(made, url) {
  const began = performance.now();
  const line = ['run', '--driver', 'script', '--scenario', made.scenario, '--max-turns', '20'];
  guardkit(made.project, envOf(made, 'person', url), ...line);
  return (performance.now() - began) / 1000;
}

export async function query(url, text, values) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text, values)).rows;
  } finally {
    await client.end();
  }
}

/** Of numbers, such as p50 and p99, rounded to thousandths. */
export function spread(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b);
  const at = (part) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))];
  const round = (value) => (value === undefined ? undefined : Math.round(value * 1000) / 1000);
  return { count: sorted.length, p50: round(at(0.5)), p99: round(at(0.99)), max: round(sorted.at(-1)) };
}
