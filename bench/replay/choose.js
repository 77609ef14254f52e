// Chooses the commits that replay.js replays, by a mechanical rule, and writes commits.json.
//
//   node bench/replay/choose.js --clones FOLDER [--work FOLDER] [--only owner/name] [--tested 5] [--untested 2] [--quick]
//
// FOLDER contains one clone per repository, named owner__name, with its history. For every repository of repositories.json,
// the newest non-merge commits are tried in order: those that touch source and tests, and those that touch no test
// (documentation, dependency updates, refactoring). A commit that changes only comments in code is documentation. A commit
// is chosen if the project's own suite passes on its parent and on the commit itself, in at most 45 s of processor time. `until` in repositories.json skips commits that need a
// newer Go than Debian 12 has. Nobody picks a commit by hand.
//
// Two more native runs give the expected verdict without asking GuardKit: the commit's tests on the parent's source
// (they have to fail, or the tests do not show the change), and the parent's tests on the commit's source (if those fail,
// the commit changes an expectation, which needs a person's yes). A changed test command or runner configuration needs
// one too. --quick leaves these two runs out (expected: unknown). Runs are cached in the work folder, so the script can be
// interrupted and repeated.
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { listCandidates, withCommentsRead } from './candidates.js';
import { expectedVerdict } from './expected-verdict.js';
import { readJson, writeJson } from './json-file.js';
import { cloneOf, NativeCheckout } from './native-suite.js';
import { changedTestScripts } from './test-scripts.js';

const LONGEST_SUITE = 45;
const NEWEST = 400;
const TRIED_PER_GROUP = 12;
/** If the newer commits of a project fail here, older ones rarely pass. */
const REJECTED_IN_A_ROW = 4;

const { values: options } = parseArgs({
  options: {
    clones: { type: 'string' },
    work: { type: 'string', default: 'replay-work' },
    only: { type: 'string', multiple: true },
    tested: { type: 'string', default: '5' },
    untested: { type: 'string', default: '2' },
    quick: { type: 'boolean', default: false },
  },
});
if (options.clones === undefined) throw new Error('--clones FOLDER is missing');
const place = { clones: resolve(options.clones), work: resolve(options.work) };
const output = join(import.meta.dirname, 'commits.json');
const cacheFile = join(place.work, 'native.json');
const cache = readJson(cacheFile, {});

for (const entry of readJson(join(import.meta.dirname, 'repositories.json'))) {
  if (options.only !== undefined && !options.only.includes(entry.repository)) continue;
  if (!existsSync(join(place.clones, entry.repository.replace('/', '__')))) continue;
  const chosen = await chooseFrom(entry);
  const others = readJson(output, []).filter(({ repository }) => repository !== entry.repository);
  writeJson(output, [...others, ...chosen]);
  console.log(`${entry.repository}: ${chosen.length} chosen`);
}

async function chooseFrom(entry) {
  const checkout = new NativeCheckout(entry, place);
  await checkout.open();
  const clone = cloneOf(place.clones, entry.repository);
  const candidates = await listCandidates(clone, { newest: NEWEST, until: entry.until });
  const wanted = { tested: Number(options.tested), untested: Number(options.untested) };
  const tried = { tested: 0, untested: 0 };
  const rejected = { tested: 0, untested: 0 };
  const chosen = [];
  for (const listed of candidates) {
    if (wanted.tested === 0 && wanted.untested === 0) break;
    const candidate = await withCommentsRead(clone, listed);
    const { group } = candidate;
    if (wanted[group] === 0 || tried[group] === TRIED_PER_GROUP || rejected[group] === REJECTED_IN_A_ROW)
      continue;
    if (group === 'untested' && chosen.some(({ why }) => why === candidate.type)) continue;
    tried[group]++;
    const verdict = await judge(checkout, entry, candidate);
    console.log(
      `  ${candidate.commit.slice(0, 10)} ${group} ${verdict.rejected ?? `ok ${verdict.expected}`} ${candidate.subject}`,
    );
    rejected[group] = verdict.rejected === undefined ? 0 : rejected[group] + 1;
    // The suite does not run here at all.
    if (chosen.length === 0 && rejected.tested + rejected.untested >= REJECTED_IN_A_ROW) break;
    if (verdict.rejected !== undefined) continue;
    wanted[group]--;
    chosen.push(toEntry(entry, candidate, verdict));
  }
  return chosen;
}

function toEntry({ repository, test, setup, coverage }, candidate, verdict) {
  const { commit, parent, date, subject, type, group } = candidate;
  return { repository, commit, parent, date, subject, type, group, test, setup, coverage, ...verdict };
}

async function judge(checkout, entry, candidate) {
  const { commit, parent, group, testPaths } = candidate;
  const before = await nativeRun(checkout, entry, { at: parent });
  if (!before.passed) return { rejected: `parent: ${before.why}` };
  const after = await nativeRun(checkout, entry, { at: commit });
  if (!after.passed) return { rejected: `commit: ${after.why}` };
  if (after.cpu > LONGEST_SUITE) return { rejected: `needs ${after.cpu.toFixed(0)} s` };
  if (group === 'untested')
    return {
      suite_cpu: round(after.cpu),
      ...expectedVerdict(candidate, { scripts: await changedTestScripts(checkout.folder, candidate) }),
    };
  const { quick } = options;
  const newOnOld = await nativeRun(checkout, entry, { at: parent, paths: testPaths, from: commit, quick });
  const oldOnNew = await nativeRun(checkout, entry, { at: commit, paths: testPaths, from: parent, quick });
  if (newOnOld === undefined || oldOnNew === undefined)
    return { suite_cpu: round(after.cpu), expected: 'unknown', why: '' };
  const scripts = await changedTestScripts(checkout.folder, candidate);
  return { suite_cpu: round(after.cpu), ...expectedVerdict(candidate, { newOnOld, oldOnNew, scripts }) };
}

async function nativeRun(checkout, { repository, test = '' }, { at, paths = [], from = '', quick = false }) {
  const key = `${repository} ${test} ${at} ${from}`;
  if (cache[key] !== undefined || quick) return cache[key];
  await checkout.checkOut(at, { paths, from });
  const setup = await checkout.setUp();
  // Not cached, because a missing package manager may be installed before the next attempt.
  if (setup.code !== 0)
    return { passed: false, why: `set-up failed (exit ${setup.code})\n${setup.output.slice(-800)}` };
  const run = await checkout.test();
  const failed = run.code !== 0;
  cache[key] = {
    passed: !failed,
    cpu: run.cpu,
    ...(failed && { why: `suite failed (${run.timedOut ? 'time limit' : `exit ${run.code}`})` }),
    ...(failed && { tail: run.output.slice(-1500) }),
  };
  writeJson(cacheFile, cache);
  return cache[key];
}

function round(seconds) {
  return Number(seconds.toFixed(1));
}
