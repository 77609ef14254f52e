// Makes the memory that programs begin with: `src/hook-snapshot.ts` and `src/quick-snapshot.ts` say what is in it. Hooks are
// started with theirs by the launcher (`src/enforcement/wiring/launcher.ts`), commands by `bin/guardkit`.
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { withCodeOf, withTag } from './snapshot-file.js';
import { writeWhole } from './write-whole.js';

/**
 * What Node is told for a life of some milliseconds. The seed of V8's hashes is chosen when the snapshot is made: to choose
 * another at every start would mean to hash everything in it anew. What runs for longer is still compiled well, as are the
 * patterns that are tried on long texts; most are tried once or twice on short ones.
 */
const WANTED = [
  '--no-rehash-snapshot',
  '--no-sparkplug',
  '--no-maglev',
  '--interrupt-budget=2000000',
  '--regexp-tier-up-ticks=20',
  '--no-regexp-peephole-optimization',
  // There is next to nothing to do beside.
  '--v8-pool-size=1',
  // What it says is for connections, which nothing here makes.
  '--openssl-config=/dev/null',
];

const run = (...args) => execFileSync(process.execPath, args, { env: plainEnvironment(), encoding: 'utf8' });
const known = run('--v8-options');
/** Those that this Node and its V8 have: they come and go. */
const flagsWith = (...more) =>
  [...WANTED, ...more].filter((flag) => {
    const [, name] = /^--(?:no-)?([\w-]+)/.exec(flag);
    return (
      new RegExp(`^ +--${name} `, 'm').test(known) || process.allowedNodeEnvironmentFlags.has(`--${name}`)
    );
  });
/** Nothing is thrown away before as many megabytes have come together: as much as one hook makes, and a long list of features. */
const HOOK_FLAGS = flagsWith('--min-semi-space-size=2');
const QUICK_FLAGS = flagsWith('--min-semi-space-size=16');

/**
 * For this Node: the snapshot, and the options it is to be started with, one a line. `compiling` is what
 * `scripts/compile-program.js` is told to compile what it loads later.
 */
export function makeHookSnapshot(dist, compiling) {
  const made = forThisNode(join(dist, 'hook.cjs'));
  attempt([`${made}.flags`, `${made}.blob`], () => {
    makeSnapshot(`${made}.blob`, HOOK_FLAGS, compiling, join(dist, 'hook-snapshot.cjs'));
    writeFile(`${made}.flags`, `${HOOK_FLAGS.join('\n')}\n`);
  });
}

/** A shell reads what it was made with, and sees by that whether it fits. `lines` has what compiles what each loads later. */
export function makeQuickSnapshots(dist, lines) {
  const start = join(dist, 'quick.start');
  const blobs = Object.keys(lines).map((line) => [line, join(dist, `${line.split(' ')[1]}.blob`)]);
  const node = `'${process.execPath.replaceAll("'", "'\\''")}'`;
  attempt([start, ...blobs.map(([, blob]) => blob)], () => {
    for (const [line, blob] of blobs)
      makeSnapshot(blob, QUICK_FLAGS, lines[line], join(dist, 'quick-snapshot.cjs'), line);
    writeFile(start, `made_with=${node}\nflags='${QUICK_FLAGS.join(' ')}'\n`);
  });
}

/** Everything works without, only slower: a Node that cannot make one is no reason to fail. Tests fail for it. */
function attempt(files, work) {
  try {
    work();
  } catch (error) {
    for (const file of files) rmSync(file, { force: true });
    process.stderr.write(`No snapshot was made, and programs start slower: ${error.message}\n`);
  }
}

function makeSnapshot(target, flags, compiling, ...builder) {
  const temporary = `${target}.${process.pid}.tmp`;
  try {
    run('--no-warnings', '--snapshot-blob', temporary, '--build-snapshot', ...builder);
    const tag = (...flags) => Number(run(...flags, '-p', 'v8.cachedDataVersionTag()'));
    // It is made without them: V8 would not choose a seed at all, nor take the code that was compiled for the program.
    const whole = withTag(readFileSync(temporary), tag('--no-warnings'), tag(...flags));
    let complaint = '';
    for (const blob of [withCodeOf(whole, modulesForLater()), whole]) {
      writeFileSync(temporary, blob);
      complaint = complaintOf(temporary, flags);
      if (complaint === '') break;
    }
    if (complaint !== '') throw new Error(complaint);
    compileLater(temporary, flags, compiling);
    renameSync(temporary, target);
  } finally {
    rmSync(temporary, { force: true });
  }
}

/** Asked to start something else it ends without a word; Node says why, where it refuses it. */
function complaintOf(blob, flags, ...words) {
  const { status, stderr } = spawnSync(process.execPath, [...flags, '--snapshot-blob', blob, '/', ...words], {
    env: plainEnvironment(),
    encoding: 'utf8',
  });
  return stderr.trim() || (status === MISFIT ? '' : `it ends with ${status}`);
}

/** By a process that began with it: V8 takes nothing else. */
function compileLater(blob, flags, compiling) {
  const compile = fileURLToPath(new URL('compile-in-snapshot.cjs', import.meta.url));
  const complaint = complaintOf(blob, flags, '--try', compile, ...compiling, '--rest', '--snapshot');
  if (complaint !== '') throw new Error(`what it loads later cannot be compiled: ${complaint}`);
}

function forThisNode(file) {
  return `${file}.${process.version}-${process.platform}-${process.arch}`;
}

/** What a snapshot ends with that is started for something else, as `src/make-snapshot.ts` has it. */
const MISFIT = 14;

/**
 * With the time of this Node: where the Node of a start has another, it was upgraded since, and is not asked to begin with a
 * snapshot, which it would refuse with a line that people and agents see.
 */
function writeFile(path, text) {
  // Node itself would round it.
  writeWhole(path, text, (file) => execFileSync('touch', ['-r', process.execPath, file]));
}

/** Node's own modules that starting a process loads, beyond those that every program of ours has. */
function modulesForLater() {
  const has = ['crypto', 'fs', 'os', 'path', 'url', 'v8', 'vm'];
  const asked = `${has.map((name) => `require('node:${name}');`).join('')}
    const before = new Set(process.moduleLoadList);
    require('node:child_process').spawnSync(process.execPath, ['--version']);
    console.log(JSON.stringify(process.moduleLoadList.filter((one) => !before.has(one))));`;
  return JSON.parse(run('--no-warnings', '-e', asked)).map((one) => one.replace(/^NativeModule /, ''));
}

function plainEnvironment() {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('NODE_')));
}
