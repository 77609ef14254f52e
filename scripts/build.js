// Two bundles: the program carries its libraries, because reading a hundred small files costs more than the
// work of most commands; the library leaves them outside, so that a host's own zod stays the only one.
import { execFileSync } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { buildEvaluated } from './build-evaluated.js';
import { LAZY, lazyModules } from './lazy-modules.js';
import { makeHookSnapshot, makeQuickSnapshot } from './make-snapshot.js';

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

// Scripts that `src/load-script.ts` runs, in the form of functions of what a script does not have by itself: the
// program, the small part of it that answers an agent's hooks, the server of tools, and the part of hooks for driven sessions.
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
const lazyScript = {
  ...script,
  external: [...script.external, 'better-sqlite3/package.json'],
  plugins: [lazyModules({ folder: join(root, 'src'), target: common.target })],
};
const CLI = join(root, 'src/interfaces/cli');
const all = await build({ ...lazyScript, entryPoints: { 'program/program': join(CLI, 'run-cli.ts') } });
const program = scriptOf(all);
const scripts = [
  all,
  // The same with few commands.
  await buildEvaluated(lazyScript, {
    name: 'quick',
    entry: join(CLI, 'run-cli.ts'),
    exports: ['runCli'],
    plugins: [withTable(join(CLI, 'quick-commands.ts'))],
    preparer: program,
  }),
  await buildEvaluated(lazyScript, {
    name: 'hook',
    entry: join(root, 'src/interfaces/hooks/run-hook.ts'),
    exports: ['runHook', 'processWorld'],
  }),
  // The server of tools: no other command needs what it is made of.
  await build({
    ...script,
    entryPoints: { 'program/mcp': 'src/interfaces/mcp/run-mcp.ts' },
    external: [...script.external, 'better-sqlite3'],
    // The same by another name, under which esbuild forgets to evaluate it before the SDK does.
    alias: { 'zod/v4': 'zod' },
  }),
  // What hooks need only now and then: in a driven session, and where there is something to learn.
  await build({
    ...script,
    entryPoints: { 'program/session': 'src/interfaces/hooks/session-script.ts' },
    external: [...script.external, 'better-sqlite3'],
  }),
];
const [, quick, hook, mcp, session] = scripts.map(scriptOf);
// What V8 compiles for them is made now rather than at every start.
for (const args of [[program], [quick, '', program], [hook]])
  execFileSync(process.execPath, ['scripts/compile-program.js', ...args], { cwd: root, stdio: 'inherit' });

const entry = {
  ...common,
  minify: true,
  define: {
    ...common.define,
    __GUARDKIT_PROGRAM__: JSON.stringify(relative('dist', program)),
    __GUARDKIT_QUICK__: JSON.stringify(relative('dist', quick)),
    __GUARDKIT_HOOK__: JSON.stringify(relative('dist', hook)),
    __GUARDKIT_MCP__: JSON.stringify(relative('dist', mcp)),
    __GUARDKIT_SESSION__: JSON.stringify(relative('dist', session)),
  },
};
const entries = [
  await build({
    ...entry,
    entryPoints: {
      bin: 'src/bin.ts',
      hook: 'src/hook.ts',
      'hook-snapshot': 'src/hook-snapshot.ts',
      'quick-snapshot': 'src/quick-snapshot.ts',
      'load-session': 'src/load-session.ts',
    },
    format: 'cjs',
    outExtension: { '.js': '.cjs' },
  }),
];
// Starts with all that is usually needed ready in memory; `src/hook-snapshot.ts` says more.
makeHookSnapshot(join(root, 'dist'));
makeQuickSnapshot(join(root, 'dist'));
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
      made.has(relative(root, file)) ||
      [program, quick, hook].some((file) => name.startsWith(`${basename(file)}.`));
    if (!isMade && Date.now() - statSync(file).mtimeMs > STALE_MS) rmSync(file);
  }
}

/** Another table of commands than the one with all of them. */
function withTable(table) {
  return {
    name: 'with-table',
    setup({ onResolve }) {
      onResolve({ filter: /^\.\/commands\.ts$/ }, ({ resolveDir }) =>
        resolveDir === CLI ? { path: table, namespace: LAZY } : undefined,
      );
    },
  };
}

function scriptOf({ metafile }) {
  return Object.keys(metafile.outputs).find((file) => file.endsWith('.js'));
}
