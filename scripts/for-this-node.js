// node scripts/for-this-node.js [--installing]
// What holds for one Node alone: the code that its V8 compiles for the scripts in dist/, and the memory that they begin with.
// The build makes it; so does an installed package for the Node that it meets, with nothing but what is in the package.
import { execFileSync } from 'node:child_process';
import {
  accessSync,
  constants,
  existsSync,
  readFileSync,
  realpathSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { argv } from 'node:process';
import { fileURLToPath } from 'node:url';
import { HOOK_FLAGS, makeHookSnapshot, makeQuickSnapshots, QUICK_FLAGS } from './make-snapshot.js';

const PARTS = 'program/parts.json';
const root = fileURLToPath(new URL('..', import.meta.url));

/** Which scripts there are, by their paths in dist/: each has its content in its name. */
export function writeParts(dist, parts) {
  const file = join(dist, PARTS);
  const temporary = `${file}.${process.pid}.tmp`;
  writeFileSync(temporary, `${JSON.stringify(parts)}\n`);
  renameSync(temporary, file);
}

export function fitToThisNode(dist) {
  const { program, hooks, quick } = JSON.parse(readFileSync(join(dist, PARTS), 'utf8'));
  const compile = (script, { flags = [], words = [] } = {}) =>
    execFileSync(
      process.execPath,
      [...flags, join(root, 'scripts/compile-program.js'), join(dist, script), ...words],
      { stdio: ['ignore', 'inherit', 'inherit'] },
    );
  const preparer = ['--preparer', join(dist, program)];
  const parted = [
    ...Object.entries(quick).map(([line, parts]) => ({
      ...parts,
      trial: [...preparer, '--line', line],
      flags: QUICK_FLAGS,
    })),
    { ...hooks, trial: preparer, flags: HOOK_FLAGS },
  ];
  // What V8 compiles for them is made now rather than at every start; for what a snapshot has loaded, as it is told then.
  compile(program);
  for (const { main, trial, flags } of parted) {
    compile(main, { words: trial });
    compile(main, { words: [...trial, '--rest', 'plain'] });
    compile(main, { flags, words: [...trial, '--rest', 'snapshot'] });
  }
  // Starts with all that is usually needed ready in memory; `src/hook-snapshot.ts` says more.
  makeHookSnapshot(dist, join(dist, hooks.rest));
  makeQuickSnapshots(
    dist,
    Object.fromEntries(Object.entries(quick).map(([line, { rest }]) => [line, join(dist, rest)])),
  );
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
