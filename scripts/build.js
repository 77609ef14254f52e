// Two bundles: the program carries its libraries, because reading a hundred small files costs more than the
// work of most commands; the library leaves them outside, so that a host's own zod stays the only one.
import { execFileSync } from 'node:child_process';
import { cpSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { buildEvaluated } from './build-evaluated.js';
import { fitToThisNode, writeParts } from './for-this-node.js';
import { LAZY, lazyModules } from './lazy-modules.js';
import { removeOthers, timeIn } from './remove-others.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));

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
// A trial says itself who is there, and where its words go.
const also = ['inside-agent', 'may-be-terminal', 'person', 'plain-output', 'wrapper-profile'].map((name) =>
  join(root, 'src/platform', `${name}.ts`),
);
// The same with few commands, for each that is run again and again.
const quick = {};
for (const line of ['feature next', 'config explain']) {
  quick[line] = await buildEvaluated(lazyScript, {
    name: line.split(' ')[1],
    entry: join(CLI, 'run-cli.ts'),
    exports: ['runCli'],
    plugins: [withTable(join(CLI, 'quick-commands.ts'))],
    trial: ['--preparer', program, '--line', line],
    also,
  });
}
const hooks = await buildEvaluated(lazyScript, {
  name: 'hook',
  entry: join(root, 'src/interfaces/hooks/run-hook.ts'),
  exports: ['runHook', 'processWorld'],
  trial: ['--preparer', program],
  // A hook is younger than the action that it follows, which the process of a trial is not.
  also: ['enforcement/actions/agent-marks', 'platform/process-row'].map((name) =>
    join(root, 'src', `${name}.ts`),
  ),
  // What hooks need only now and then: in a driven session, and where there is something to learn.
  later: { name: 'session', entry: join(root, 'src/interfaces/hooks/session-script.ts') },
});
const parted = [...Object.values(quick), hooks];
const session = hooks.further;
// The server of tools: no other command needs what it is made of.
const mcp = await build({
  ...script,
  entryPoints: { 'program/mcp': 'src/interfaces/mcp/run-mcp.ts' },
  external: [...script.external, 'better-sqlite3'],
  // The same by another name, under which esbuild forgets to evaluate it before the SDK does.
  alias: { 'zod/v4': 'zod' },
});
const scripts = [all, ...parted.flatMap(({ main, rest }) => [main, rest]), mcp, session];
const entry = {
  ...common,
  minify: true,
  define: {
    ...common.define,
    __GUARDKIT_PROGRAM__: JSON.stringify(relative('dist', program)),
    __GUARDKIT_QUICK__: JSON.stringify(
      Object.fromEntries(
        Object.entries(quick).map(([line, { main }]) => [line, relative('dist', scriptOf(main))]),
      ),
    ),
    __GUARDKIT_HOOK__: JSON.stringify(relative('dist', scriptOf(hooks.main))),
    __GUARDKIT_MCP__: JSON.stringify(relative('dist', scriptOf(mcp))),
    __GUARDKIT_SESSION__: JSON.stringify(relative('dist', scriptOf(session))),
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
// What is compiled of these, and kept in memory to begin with, holds for one Node alone.
const inDist = (built) => relative('dist', scriptOf(built));
writeParts(join(root, 'dist'), {
  program: inDist(all),
  hooks: inDist(hooks.main),
  quick: Object.fromEntries(Object.entries(quick).map(([line, { main }]) => [line, inDist(main)])),
  session: inDist(session),
});
fitToThisNode(join(root, 'dist'));
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
cpSync(join(root, 'src/verification/runners/tap'), join(root, 'dist/tap'), {
  recursive: true,
  filter: (path) => !path.endsWith('__pycache__'),
});
cpSync(join(root, 'src/verification/checks/probe'), join(root, 'dist/probe'), { recursive: true });

// Last, when the entries have named the new parts for some seconds: a program that began with the old ones loaded them at
// its start. What the entries name now stays, whoever made it: a build beside this one may have been the later.
const dist = join(root, 'dist');
const made = new Set(
  [...scripts, ...entries, library].flatMap(({ metafile }) => Object.keys(metafile.outputs)),
);
const read = (name) => readFileSync(join(dist, name), 'latin1');
const named = readdirSync(dist)
  .filter((name) => /\.c?js$/.test(name))
  .map(read)
  .join('');
// A script that an entry names has the name of its rest.
const namedByScripts = readdirSync(join(dist, 'program'))
  .filter((name) => name.endsWith('.js') && named.includes(`/${name}`))
  .map((name) => read(join('program', name)))
  .join('');
removeOthers(dist, began, (file) => {
  // What belongs to a script has its name and more.
  const [script] = /^.*?\.js(?=$|\.)/.exec(basename(file)) ?? [basename(file)];
  return (
    made.has(relative(root, file)) ||
    named.includes(`/${script}`) ||
    namedByScripts.includes(JSON.stringify(script))
  );
});

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
