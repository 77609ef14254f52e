// Two bundles: the program includes its packages, because reading a hundred small files costs more than most commands do;
// the library leaves them out, so that a host has only one zod.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { sourceDigest } from './build-state.js';
import { lazyModules } from './lazy-modules.js';
import { makeCodeCaches } from './make-code-cache.js';
import { removeOthers, timeIn } from './remove-others.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));

const missing = ['preact', '@preact/signals'].filter((name) => !existsSync(join(root, 'node_modules', name)));
const withDashboard = missing.length === 0 || !process.argv.includes('--without-dashboard');
if (missing.length > 0 && withDashboard) {
  console.error(
    `The dashboard needs ${missing.join(' and ')}. Run \`npm ci\`, or build with --without-dashboard.`,
  );
  process.exit(1);
}

const began = timeIn(join(root, 'dist'));

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
  define: {
    __GUARDKIT_VERSION__: JSON.stringify(version),
    __GUARDKIT_BUILD__: JSON.stringify(sourceDigest(root)),
  },
};

// Scripts that `src/load-program.ts` runs: functions with parameters for what a plain script lacks.
const script = {
  ...common,
  entryNames: '[dir]/[name]-[hash]',
  format: 'cjs',
  external: ['pg', '@anthropic-ai/claude-agent-sdk', '@dbos-inc/dbos-sdk', '@viz-js/viz'],
  // Every start reads the text: half of it takes half the time.
  minify: true,
  // V8 reads ASCII as one byte per character.
  charset: 'ascii',
  define: { ...common.define, 'import.meta.url': '__url' },
  banner: { js: '(function (module, require, __url, __import) {' },
  footer: { js: '})' },
};
const program = await build({
  ...script,
  entryPoints: { 'program/program': 'src/program.ts' },
  external: [...script.external, 'better-sqlite3/package.json'],
  plugins: [lazyModules({ folder: join(root, 'src'), target: common.target })],
});
const mcp = await build({
  ...script,
  entryPoints: { 'program/mcp': 'src/interfaces/mcp/run-mcp.ts' },
  external: [...script.external, 'better-sqlite3'],
  // The same module; under the name zod/v4 esbuild does not evaluate it before the SDK.
  alias: { 'zod/v4': 'zod' },
});
const entries = await build({
  ...common,
  entryPoints: {
    bin: 'src/bin.ts',
    hook: 'src/hook.ts',
    'hook-worker': 'src/hook-worker.ts',
    'dashboard-worker': 'src/dashboard-worker.ts',
    'chain-worker': 'src/chain-worker.ts',
    'session-worker': 'src/session-worker.ts',
  },
  format: 'cjs',
  outExtension: { '.js': '.cjs' },
  external: ['pg'],
  minify: true,
  define: {
    ...common.define,
    __GUARDKIT_PROGRAM__: pathInDist(program),
    __GUARDKIT_MCP__: pathInDist(mcp),
  },
});
makeCodeCaches(join(root, 'dist'));
const library = await build({
  ...common,
  entryPoints: { index: 'src/index.ts' },
  splitting: true,
  chunkNames: 'library/[name]-[hash]',
  packages: 'external',
});
const dashboard = await buildDashboard();
execFileSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.types.json'], {
  cwd: root,
  stdio: 'inherit',
});

// Not bundled: test runners of projects load these files as they are.
cpSync(join(root, 'src/verification/runners/tap'), join(root, 'dist/tap'), {
  recursive: true,
  filter: (path) => !path.endsWith('__pycache__'),
});
cpSync(join(root, 'src/verification/checks/probe'), join(root, 'dist/probe'), { recursive: true });
cpSync(join(root, 'src/platform/git/lfs-filter'), join(root, 'dist/lfs-filter'), { recursive: true });

// Last, so that programs which started with the old entries have loaded the old files by now. Files that the entries name
// are kept, since a concurrent build may have finished later than this one.
const dist = join(root, 'dist');
const made = new Set(
  [program, mcp, entries, library, dashboard].flatMap(({ metafile }) => Object.keys(metafile.outputs)),
);
const named = [
  'bin.cjs',
  'hook.cjs',
  'hook-worker.cjs',
  'dashboard-worker.cjs',
  'chain-worker.cjs',
  'session-worker.cjs',
  'index.js',
]
  .map((name) => readFileSync(join(dist, name), 'latin1'))
  .join('');
removeOthers(dist, began, (file) => {
  // The name of a code cache starts with that of its bundle.
  const [script] = /^.*?\.js(?=$|\.)/.exec(basename(file)) ?? [basename(file)];
  return made.has(relative(root, file)) || named.includes(`/${script}`);
});

/** The page of `guardkit ui`. */
async function buildDashboard() {
  if (!withDashboard) return { metafile: { outputs: {} } };
  const built = await build({
    absWorkingDir: root,
    bundle: true,
    entryPoints: { 'dashboard/app': 'dashboard/main.tsx', 'dashboard/style': 'dashboard/app.css' },
    outdir: 'dist',
    platform: 'browser',
    target: ['chrome123', 'firefox120', 'safari17.5'],
    format: 'esm',
    minify: true,
    jsx: 'automatic',
    jsxImportSource: 'preact',
    legalComments: 'linked',
    metafile: true,
    logLevel: 'warning',
  });
  for (const file of ['index.html', 'icon.svg'])
    cpSync(join(root, 'dashboard', file), join(root, 'dist/dashboard', file));
  return built;
}

/** As a JavaScript expression, relative to the entries in dist/. */
function pathInDist({ metafile }) {
  const file = Object.keys(metafile.outputs).find((name) => name.endsWith('.js'));
  return JSON.stringify(relative('dist', file));
}
