// Replays upstream commits and planted cheats through `guardkit init` and `guardkit verify`, and prints a table.
//
//   npm run build
//   node bench/replay/replay.js --clones FOLDER [--work FOLDER] [--guardkit bin/guardkit] [--only TEXT]… [--cheats]
//                               [--times [--coverage-off]] [--limit N] [--retry COLUMN] [--cached] [--any-build] [--json]
//
// FOLDER contains one clone per repository, named owner__name, with its history:
//   git clone https://github.com/tj/commander.js FOLDER/tj__commander.js
// commits.json (made by choose.js) lists the commits, cheats.json the cheats. Results are cached in the work folder by
// commit and by the hash of GuardKit's build, so a replay can be interrupted and resumed. GuardKit's data folder is in
// the work folder; nothing is written elsewhere. --times also runs the native suite and a second verify for the time
// ratios: run it on a machine that does nothing else; --coverage-off does so without the coverage command, and the table
// then has both. --cached prints results without replaying. --any-build also takes the newest result of other builds,
// unless it was bad. The exit code is 1 if a commit is refused wrongly, cannot be run, or a cheat is accepted.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { cheatEntries } from './cheats.js';
import { readJson, writeJson } from './json-file.js';
import { outcomeOf } from './outcome.js';
import { replayCommit } from './replay-commit.js';
import { printTable } from './table.js';

const here = import.meta.dirname;
const { values: options } = parseArgs({
  options: {
    clones: { type: 'string' },
    work: { type: 'string', default: 'replay-work' },
    guardkit: { type: 'string', default: join(here, '../../bin/guardkit') },
    only: { type: 'string', multiple: true, default: [] },
    limit: { type: 'string' },
    retry: { type: 'string' },
    cheats: { type: 'boolean', default: false },
    times: { type: 'boolean', default: false },
    'coverage-off': { type: 'boolean', default: false },
    'any-build': { type: 'boolean', default: false },
    cached: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
});
if (options.clones === undefined) throw new Error('--clones FOLDER is missing');
const guardkit = resolve(options.guardkit);
const place = {
  guardkit,
  clones: resolve(options.clones),
  work: resolve(options.work),
  times: options.times,
  coverageOff: options['coverage-off'],
};
const build = hashOfBuild(join(dirname(guardkit), '../dist'));
const reviewed = readJson(join(here, 'reviewed.json'), {});

const repositories = readJson(join(here, 'repositories.json'));
const listed = options.cheats
  ? cheatEntries(readJson(join(here, 'cheats.json')), repositories)
  : readJson(join(here, 'commits.json'));
const entries = listed
  .toSorted((a, b) => (a.suite_cpu ?? 0) - (b.suite_cpu ?? 0))
  .filter((entry) => options.only.length === 0 || options.only.some((text) => labelOf(entry).includes(text)))
  .slice(0, options.limit === undefined ? undefined : Number(options.limit));

const rows = [];
for (const entry of entries) {
  const result = await replayed(entry);
  if (result === undefined) continue;
  const { runner } = repositories.find(({ repository }) => repository === entry.repository);
  const withoutCoverage = readJson(resultFile(build, entry, true), undefined)?.times?.first;
  const times = { ...result.times, withoutCoverage };
  const row = { ...entry, runner, ...outcomeOf(entry, result, reviewed), times };
  rows.push(row);
  if (!options.json && !options.cached)
    console.error(`${row.column.padEnd(20)} ${labelOf(entry)} ${row.why.slice(0, 160)}`);
}
if (options.json) console.log(JSON.stringify({ build, rows }, null, 2));
else printTable(rows, { build, listed: entries.length });
process.exitCode = rows.some(isBad) ? 1 : 0;

function isBad({ column, cheat }) {
  if (cheat !== undefined && column === 'passed') return true;
  return ['refused wrongly', 'could not run', 'accepted wrongly'].includes(column);
}

async function replayed(entry) {
  const file = resultFile(build, entry, options['coverage-off']);
  const cached = readJson(file, undefined);
  const newest = options['any-build'] ? (cached ?? newestResult(entry)) : cached;
  if (options.cached) return newest;
  if (
    options['any-build'] &&
    newest !== undefined &&
    !isBad({ ...entry, ...outcomeOf(entry, newest, reviewed) })
  )
    return newest;
  const again = cached !== undefined && outcomeOf(entry, cached, reviewed).column === options.retry;
  if (cached !== undefined && !again && (!options.times || cached.times?.known !== undefined)) return cached;
  const result = await replayCommit(entry, { ...place, cheat: entry.cheat }).catch((error) => ({
    error: String(error.message),
  }));
  writeJson(file, result);
  return result;
}

function resultFile(ofBuild, entry, coverageOff) {
  const name = labelOf(entry).replace(/[^\w.-]+/g, '_');
  return join(place.work, 'results', ofBuild, `${name}${coverageOff ? '_coverage-off' : ''}.json`);
}

/** The newest result of an entry, with the build it belongs to. */
function newestResult(entry) {
  const results = join(place.work, 'results');
  const files = (existsSync(results) ? readdirSync(results) : [])
    .map((name) => resultFile(name, entry, false))
    .filter((file) => existsSync(file))
    .toSorted((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs);
  return files.length === 0 ? undefined : readJson(files[0]);
}

function labelOf({ repository, commit, id }) {
  return `${repository}@${commit.slice(0, 10)}${id === undefined ? '' : ` ${id}`}`;
}

/** Identifies a build by the content of its files, without code caches, which differ on every build. */
function hashOfBuild(folder) {
  const hash = createHash('sha256');
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !/\.(c?js|py)$/.test(entry.name)) continue;
    hash.update(entry.name).update(readFileSync(join(entry.parentPath, entry.name)));
  }
  return hash.digest('hex').slice(0, 12);
}
