// node scripts/make-code-cache.js [--installing]
// Creates V8's code caches of the program for this Node, which `src/load-program.ts` uses at every start. Run at build and
// at installation.
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
    // A cache contains every function that ran in its process, and a start reads all of it. So one-time work of a project
    // runs in a separate process.
    for (const task of ['prepare', 'command', 'hook']) compile(join(dist, bundle), task, folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Without variables that make V8 compile differently or Node load more. */
function compile(...words) {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('NODE_')));
  execFileSync(process.execPath, [join(root, 'scripts/compile-program.js'), ...words], {
    env,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
}

if (argv[1] !== undefined && realpathSync(argv[1]) === fileURLToPath(import.meta.url)) {
  const installing = argv.includes('--installing');
  // In a checkout the build creates them.
  if (!installing || !existsSync(join(root, 'src'))) makeInstalled(installing);
}

/** Never fails an installation: without caches the program only starts more slowly. */
function makeInstalled(installing) {
  try {
    const dist = join(root, 'dist');
    accessSync(join(dist, 'program'), constants.W_OK);
    makeCodeCaches(dist);
  } catch (error) {
    const why =
      error.code === 'EACCES' || error.code === 'EROFS'
        ? `${error.path} is not writable. Run this as the user who installed GuardKit: node ${fileURLToPath(import.meta.url)}`
        : error.message;
    process.stderr.write(`${why}\n`);
    if (!installing) process.exitCode = 1;
  }
}
