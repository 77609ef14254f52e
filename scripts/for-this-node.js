// node scripts/for-this-node.js [--installing]
// What holds for one Node alone: the code that its V8 compiles for the scripts in dist/, and the memory that they begin with.
// The build makes it; so does an installed package for the Node that it meets, with nothing but what is in the package.
import { execFileSync } from 'node:child_process';
import { accessSync, constants, existsSync, readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { argv } from 'node:process';
import { fileURLToPath } from 'node:url';
import { makeHookSnapshot, makeQuickSnapshots } from './make-snapshot.js';
import { writeWhole } from './write-whole.js';

const PARTS = 'program/parts.json';
const root = fileURLToPath(new URL('..', import.meta.url));

/** Which scripts there are, by their paths in dist/: each has its content in its name. */
export function writeParts(dist, parts) {
  writeWhole(join(dist, PARTS), `${JSON.stringify(parts)}\n`);
}

export function fitToThisNode(dist) {
  const { program, hooks, quick, session } = JSON.parse(readFileSync(join(dist, PARTS), 'utf8'));
  const compile = (words, ...options) =>
    execFileSync(process.execPath, [...options, join(root, 'scripts/compile-program.js'), ...words], {
      stdio: ['ignore', 'inherit', 'inherit'],
    });
  /** What it is told to try a script. */
  const trialOf = (script, ...more) => [join(dist, script), '--preparer', join(dist, program), ...more];
  const lines = Object.entries(quick).map(([line, script]) => [line, trialOf(script, '--line', line)]);
  const hook = trialOf(hooks, '--session', join(dist, session));
  // What V8 compiles for them is made now rather than at every start.
  compile([join(dist, program)]);
  for (const trial of [...lines.map(([, words]) => words), hook]) {
    compile(trial);
    compile([...trial, '--rest']);
    // What a snapshot is made of: by a process that begins without Node's own, as the one does that makes it.
    compile([...trial, '--snapshot'], '--no-node-snapshot');
  }
  // Starts with all that is usually needed ready in memory; `src/hook-snapshot.ts` says more.
  makeHookSnapshot(dist, hook);
  makeQuickSnapshots(dist, Object.fromEntries(lines));
}

if (argv[1] !== undefined && realpathSync(argv[1]) === fileURLToPath(import.meta.url)) {
  const installing = argv.includes('--installing');
  // Where the sources are, the build does it.
  if (!installing || !existsSync(join(root, 'src'))) fitInstalled(installing);
}

/** Everything works without, only slower, so that no installation fails for it. */
function fitInstalled(installing) {
  try {
    const dist = join(root, 'dist');
    accessSync(dist, constants.W_OK);
    fitToThisNode(dist);
  } catch (error) {
    const why =
      error.code === 'EACCES' || error.code === 'EROFS'
        ? `${error.path} cannot be written. Whoever installed GuardKit can: node ${fileURLToPath(import.meta.url)}`
        : error.message;
    process.stderr.write(`${why}\n`);
    if (!installing) process.exitCode = 1;
  }
}
