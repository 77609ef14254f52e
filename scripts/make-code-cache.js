// node scripts/make-code-cache.js [--installing]
// Makes the code caches of the program for this Node: code that V8 has compiled already, which `src/load-program.ts` hands to
// it at every start. The build runs this, and so does an installed package for the Node that it meets.
import { execFileSync } from 'node:child_process';
import { accessSync, constants, existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { argv } from 'node:process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

export function makeCodeCaches(dist) {
  const [bundle] = /program\/program-\w+\.js/.exec(readFileSync(join(dist, 'bin.cjs'), 'latin1'));
  const folder = mkdtempSync(join(tmpdir(), 'guardkit-build-'));
  try {
    // The cache contains every function that ever ran in its process, and a start reads all of it: what a project needs only
    // once is done by a process of its own.
    for (const task of ['prepare', 'command', 'hook']) compile(join(dist, bundle), task, folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Without what makes V8 compile differently, or Node load more. */
function compile(...words) {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('NODE_')));
  execFileSync(process.execPath, [join(root, 'scripts/compile-program.js'), ...words], {
    env,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
}

if (argv[1] !== undefined && realpathSync(argv[1]) === fileURLToPath(import.meta.url)) {
  const installing = argv.includes('--installing');
  // In a checkout the build does it.
  if (!installing || !existsSync(join(root, 'src'))) makeInstalled(installing);
}

/** An installation does not fail for it: without, the program only starts more slowly. */
function makeInstalled(installing) {
  try {
    const dist = join(root, 'dist');
    accessSync(join(dist, 'program'), constants.W_OK);
    makeCodeCaches(dist);
  } catch (error) {
    const why =
      error.code === 'EACCES' || error.code === 'EROFS'
        ? `${error.path} is not writable. Run this with the rights of whoever installed GuardKit: node ${fileURLToPath(import.meta.url)}`
        : error.message;
    process.stderr.write(`${why}\n`);
    if (!installing) process.exitCode = 1;
  }
}
