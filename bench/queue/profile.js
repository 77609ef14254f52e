// Parts of a turn: git processes and database queries, with a worker and in a local run. Counts do not depend on the
// machine's load; times do. Needs a PostgreSQL server of your own (an empty database). Run `npm run build` first.
//   node bench/queue/profile.js postgres://…            (TURNS 6)
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeProject, queueAll, runLocally, setting, startWorker } from './project.js';
import { watchServer } from './watched-server.js';

const [url] = process.argv.slice(2);
if (!url) {
  console.error('Usage: node bench/queue/profile.js postgres://…');
  process.exit(2);
}
const turns = setting('TURNS', 6);

/** Git notes each of its processes and their times, as the user's settings ask. */
function watchGit(folder) {
  const log = join(folder, 'git.log');
  for (const machine of ['person', 'machine-0']) {
    const home = join(folder, machine, 'home');
    mkdirSync(home, { recursive: true });
    writeFileSync(join(home, '.gitconfig'), `[trace2]\n\teventTarget = ${log}\n`);
  }
  return { forget: () => rmSync(log, { force: true }), calls: () => readCalls(log) };
}

function readCalls(log) {
  const events = existsSync(log) ? readFileSync(log, 'utf8').trimEnd().split('\n').map(JSON.parse) : [];
  const names = new Map(
    events.filter(({ event }) => event === 'start').map(({ sid, argv }) => [sid, nameOf(argv)]),
  );
  // Processes that git itself starts are part of the one that started them.
  return events
    .filter(({ event }) => event === 'atexit')
    .map(({ sid, t_abs: seconds }) => {
      const isStarted = sid.includes('/');
      return { what: (isStarted ? '(inside) ' : '') + names.get(sid), ms: isStarted ? 0 : seconds * 1000 };
    });
}

function nameOf([program, ...words]) {
  let at = 0;
  while (words[at]?.startsWith('-')) at += words[at] === '-c' || words[at] === '-C' ? 2 : 1;
  return program.endsWith('git') ? (words[at] ?? '') : program;
}

async function oneRun(kind, count) {
  const made = makeProject(1, { turns: count });
  const git = watchGit(made.folder);
  const server = await watchServer(url);
  try {
    if (kind === 'worker') queueAll(made, url);
    git.forget();
    const began = performance.now();
    if (kind === 'local') runLocally(made);
    else {
      const { ended, printed } = startWorker(made, 0, server.url, ['--until-empty', '--max-turns', '20']);
      if ((await ended) !== 0) throw new Error(`the worker failed:\n${printed()}`);
    }
    return { ms: performance.now() - began, git: sum(git.calls()), sql: sum(server.queries()) };
  } finally {
    server.close();
    made.remove();
  }
}

function sum(calls) {
  const parts = {};
  for (const { what, ms } of calls) {
    parts[what] ??= { count: 0, ms: 0 };
    parts[what].count += 1;
    parts[what].ms += ms;
  }
  return parts;
}

/** What each further turn adds: what is done once cancels out. */
function perTurn(one, more) {
  const round = (value) => Math.round((value / (turns - 1)) * 10) / 10;
  const names = [...new Set([...Object.keys(one), ...Object.keys(more)])];
  const none = { count: 0, ms: 0 };
  return Object.fromEntries(
    names
      .map((name) => [name, one[name] ?? none, more[name] ?? none])
      .map(([name, a, b]) => [name, { count: round(b.count - a.count), ms: round(b.ms - a.ms) }])
      .filter(([, { count }]) => Math.abs(count) >= 0.1)
      .sort(([, a], [, b]) => b.ms - a.ms || b.count - a.count),
  );
}

const found = {};
for (const kind of ['local', 'worker']) {
  const [one, more] = [await oneRun(kind, 1), await oneRun(kind, turns)];
  found[kind] = {
    ms_per_turn: Math.round((more.ms - one.ms) / (turns - 1)),
    git: perTurn(one.git, more.git),
    sql: perTurn(one.sql, more.sql),
  };
}
console.log(JSON.stringify(found, undefined, 2));
