// Two bundles: the program carries its libraries, because reading a hundred small files costs more than the
// work of most commands; the library leaves them outside, so that a host's own zod stays the only one.
import { execFileSync } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { lazyModules } from './lazy-modules.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));

const common = {
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  target: 'node20.19',
  format: 'esm',
  outdir: 'dist',
  legalComments: 'linked',
  sourcemap: false,
  metafile: true,
  logLevel: 'warning',
  define: { __GUARDKIT_VERSION__: JSON.stringify(version) },
};

// Two scripts that `src/load-script.ts` runs, in the form of functions of what a script does not have by itself: the
// program, and the small part of it that answers an agent's hooks.
const script = {
  ...common,
  entryNames: '[dir]/[name]-[hash]',
  format: 'cjs',
  external: ['pg', '@anthropic-ai/claude-agent-sdk', '@viz-js/viz'],
  // Half the text is half the time to read it, at every start.
  minify: true,
  // Read as one byte a character.
  charset: 'ascii',
  define: { ...common.define, 'import.meta.url': '__url' },
  banner: { js: '(function (module, require, __url, __import) {' },
  footer: { js: '})' },
};
const scripts = [
  await build({
    ...script,
    entryPoints: { 'program/program': 'src/interfaces/cli/run-cli.ts' },
    external: [...script.external, 'better-sqlite3'],
  }),
  await build({
    ...script,
    entryPoints: { 'program/hook': 'src/interfaces/hooks/run-hook.ts' },
    external: [...script.external, 'better-sqlite3/package.json'],
    plugins: [lazyModules({ folder: join(root, 'src'), target: common.target })],
  }),
];
const [program, hook] = scripts.map(({ metafile }) =>
  Object.keys(metafile.outputs).find((file) => file.endsWith('.js')),
);
// What V8 compiles for them is made now rather than at every start.
for (const file of [program, hook])
  execFileSync(process.execPath, ['scripts/compile-program.js', file], { cwd: root, stdio: 'inherit' });

const entry = {
  ...common,
  minify: true,
  define: {
    ...common.define,
    __GUARDKIT_PROGRAM__: JSON.stringify(relative('dist', program)),
    __GUARDKIT_HOOK__: JSON.stringify(relative('dist', hook)),
  },
};
const entries = [
  await build({ ...entry, entryPoints: { bin: 'src/bin.ts' } }),
  await build({
    ...entry,
    entryPoints: { hook: 'src/hook.ts' },
    format: 'cjs',
    outExtension: { '.js': '.cjs' },
  }),
];
const library = await build({
  ...common,
  entryPoints: { index: 'src/index.ts' },
  splitting: true,
  chunkNames: 'library/[name]-[hash]',
  packages: 'external',
});
execFileSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.types.json'], {
  cwd: root,
  stdio: 'inherit',
});

// Loaded into the test runners of projects as they are, so they are no part of a bundle.
cpSync(join(root, 'src/verification/runners/tap'), join(root, 'dist/tap'), { recursive: true });
cpSync(join(root, 'src/verification/checks/probe'), join(root, 'dist/probe'), { recursive: true });

// A program that runs during a build still loads its old parts, so only those of builds long past are removed.
const STALE_MS = 60 * 60 * 1000;
const made = new Set(
  [...scripts, ...entries, library].flatMap(({ metafile }) => Object.keys(metafile.outputs)),
);
for (const folder of ['dist/program', 'dist/library']) {
  for (const name of readdirSync(join(root, folder))) {
    const file = join(root, folder, name);
    const isMade =
      made.has(relative(root, file)) || [program, hook].some((file) => name.startsWith(`${basename(file)}.`));
    if (!isMade && Date.now() - statSync(file).mtimeMs > STALE_MS) rmSync(file);
  }
}
