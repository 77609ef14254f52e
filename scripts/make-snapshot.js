// Makes the memory that programs begin with: `src/hook-snapshot.ts` and `src/quick-snapshot.ts` say what is in it. Hooks are
// started with theirs by the launcher (`src/enforcement/wiring/launcher.ts`), commands by `bin/guardkit`.
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * What Node is told for a life of some milliseconds. The seed of V8's hashes is chosen when the snapshot is made: to choose
 * another at every start would mean to hash everything in it anew. Nothing is thrown away before 16 MB of it have come
 * together. What runs for longer is still compiled well.
 */
const WANTED = [
  '--no-rehash-snapshot',
  '--no-sparkplug',
  '--interrupt-budget=2000000',
  '--min-semi-space-size=16',
];

const run = (...args) => execFileSync(process.execPath, args, { env: plainEnvironment(), encoding: 'utf8' });
const known = run('--v8-options');
/** Those that this V8 has: they come and go. */
const FLAGS = WANTED.filter((flag) => {
  const [, name] = /^--(?:no-)?([\w-]+)/.exec(flag);
  return new RegExp(`^ +--${name} `, 'm').test(known);
});

/** For this Node: the snapshot, and the options it is to be started with, one a line. */
export function makeHookSnapshot(dist) {
  const made = join(dist, `hook.cjs.${process.version}-${process.platform}-${process.arch}`);
  attempt([`${made}.flags`, `${made}.blob`], () => {
    makeSnapshot(join(dist, 'hook-snapshot.cjs'), `${made}.blob`);
    writeFile(`${made}.flags`, `${FLAGS.join('\n')}\n`);
  });
}

/** A shell reads what it was made with, and sees by that whether it fits. */
export function makeQuickSnapshot(dist) {
  const [blob, start] = ['quick.blob', 'quick.start'].map((name) => join(dist, name));
  const node = `'${process.execPath.replaceAll("'", "'\\''")}'`;
  attempt([start, blob], () => {
    makeSnapshot(join(dist, 'quick-snapshot.cjs'), blob);
    writeFile(start, `made_with=${node}\nflags='${FLAGS.join(' ')}'\n`);
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

function makeSnapshot(builder, target) {
  const temporary = `${target}.${process.pid}.tmp`;
  try {
    run('--no-warnings', '--snapshot-blob', temporary, '--build-snapshot', builder);
    const blob = readFileSync(temporary);
    const tag = (...flags) => Number(run(...flags, '-p', 'v8.cachedDataVersionTag()'));
    // It is made without them: V8 would not choose a seed at all, nor take the code that was compiled for the program.
    giveTag(blob, tag('--no-warnings'), tag(...FLAGS));
    writeFileSync(temporary, blob);
    // Asked to start something else it ends without a word; Node says why, where it refuses it.
    const { stderr } = spawnSync(process.execPath, [...FLAGS, '--snapshot-blob', temporary, '/'], {
      env: plainEnvironment(),
      encoding: 'utf8',
    });
    if (stderr !== '') throw new Error(stderr.trim());
    renameSync(temporary, target);
  } finally {
    rmSync(temporary, { force: true });
  }
}

function writeFile(path, text) {
  writeFileSync(`${path}.${process.pid}.tmp`, text);
  renameSync(`${path}.${process.pid}.tmp`, path);
}

/**
 * By its tag Node 20 knows whether a snapshot is of the same V8, told the same. It follows three texts at the beginning;
 * later versions do not look at what V8 is told.
 */
function giveTag(blob, before, after) {
  let at = 5;
  for (let text = 0; text < 3; text += 1) at += 8 + Number(blob.readBigUInt64LE(at));
  if (blob.readUInt32LE(at) === before) blob.writeUInt32LE(after, at);
}

function plainEnvironment() {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('NODE_')));
}
