// Makes the memory that programs begin with: `src/hook-snapshot.ts` and `src/quick-snapshot.ts` say what is in it. Hooks are
// started with theirs by the launcher (`src/enforcement/wiring/launcher.ts`), commands by `bin/guardkit`.
import { execFileSync } from 'node:child_process';
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * What Node is told for a life of some milliseconds. The seed of V8's hashes is chosen when the snapshot is made: to choose
 * another at every start would mean to hash everything in it anew. What runs for longer is still compiled well.
 */
const FLAGS = ['--no-rehash-snapshot', '--no-sparkplug', '--interrupt-budget=2000000'];

/** For this Node: the snapshot, and the options it is to be started with, one a line. */
export function makeHookSnapshot(dist) {
  const made = join(dist, `hook.cjs.${process.version}-${process.platform}-${process.arch}`);
  makeSnapshot(join(dist, 'hook-snapshot.cjs'), `${made}.blob`);
  writeFile(`${made}.flags`, `${FLAGS.join('\n')}\n`);
}

/** A shell reads what it was made with, and sees by that whether it fits. */
export function makeQuickSnapshot(dist) {
  makeSnapshot(join(dist, 'quick-snapshot.cjs'), join(dist, 'quick.blob'));
  const node = `'${process.execPath.replaceAll("'", "'\\''")}'`;
  writeFile(join(dist, 'quick.start'), `made_with=${node}\nflags='${FLAGS.join(' ')}'\n`);
}

function makeSnapshot(builder, target) {
  const temporary = `${target}.${process.pid}.tmp`;
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('NODE_')));
  const node = (...args) => execFileSync(process.execPath, args, { env, encoding: 'utf8' });
  try {
    node('--no-warnings', '--snapshot-blob', temporary, '--build-snapshot', builder);
    const blob = readFileSync(temporary);
    const tag = (...flags) => Number(node(...flags, '-p', 'v8.cachedDataVersionTag()'));
    // It is made without them: V8 would not choose a seed at all, nor take the code that was compiled for the program.
    giveTag(blob, tag('--no-warnings'), tag(...FLAGS));
    writeFileSync(temporary, blob);
    renameSync(temporary, target);
  } finally {
    rmSync(temporary, { force: true });
  }
}

function writeFile(path, text) {
  writeFileSync(`${path}.${process.pid}.tmp`, text);
  renameSync(`${path}.${process.pid}.tmp`, path);
}

/** By its tag Node knows whether a snapshot is of the same V8, told the same. It follows three texts at the beginning. */
function giveTag(blob, before, after) {
  let at = 5;
  for (let text = 0; text < 3; text += 1) at += 8 + Number(blob.readBigUInt64LE(at));
  if (blob.readUInt32LE(at) !== before) throw new Error('This Node writes its snapshots in another way.');
  blob.writeUInt32LE(after, at);
}
