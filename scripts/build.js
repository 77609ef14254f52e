// Two bundles: the program carries its libraries, because reading a hundred small files costs more than the
// work of most commands; the library leaves them outside, so that a host's own zod stays the only one.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));

const common = {
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  target: 'node20.19',
  format: 'esm',
  splitting: true,
  legalComments: 'linked',
  sourcemap: false,
  metafile: true,
  logLevel: 'warning',
  define: { __GUARDKIT_VERSION__: JSON.stringify(version) },
};

const program = await build({
  ...common,
  entryPoints: { bin: 'src/bin.ts' },
  outdir: 'dist',
  chunkNames: 'program/[name]-[hash]',
  external: ['better-sqlite3', 'pg'],
  // Half the text is half the time to read it, at every start.
  minify: true,
  // Bundled CommonJS libraries (commander) still call require for Node's own modules.
  banner: {
    js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
  },
});
const library = await build({
  ...common,
  entryPoints: { index: 'src/index.ts' },
  outdir: 'dist',
  chunkNames: 'library/[name]-[hash]',
  packages: 'external',
});
execFileSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.types.json'], {
  cwd: root,
  stdio: 'inherit',
});

// A program that runs during a build still loads its old parts, so only those of builds long past are removed.
const STALE_MS = 60 * 60 * 1000;
const made = new Set([program, library].flatMap(({ metafile }) => Object.keys(metafile.outputs)));
for (const folder of ['dist/program', 'dist/library']) {
  for (const name of readdirSync(join(root, folder))) {
    const file = join(root, folder, name);
    if (!made.has(relative(root, file)) && Date.now() - statSync(file).mtimeMs > STALE_MS) rmSync(file);
  }
}
