// Scripts that evaluate each of their modules when something of it is first used, and that can be told to evaluate all that
// they usually need beforehand: so is one that is made into a snapshot.
import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { LAZY, lazyModules } from './lazy-modules.js';

const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * `options` is what esbuild is told for every script, `entry` the module whose `exports` the script has. `preparer` is a
 * script that makes a project ready for this one to be tried in.
 */
export async function buildEvaluated(options, { name, entry, exports, plugins = [], preparer = '' }) {
  const lazy = { folder: join(root, 'src'), target: options.target };
  const first = (modules) => [entryWith(entry, exports, modules), ...plugins];
  const usual = await usualModules(
    { ...options, plugins: [...first([]), lazyModules({ ...lazy, told: '__evaluated' })] },
    { name, preparer },
  );
  return build({
    ...options,
    entryPoints: { [`program/${name}`]: ENTRY },
    plugins: [...first(usual), lazyModules(lazy)],
  });
}

const ENTRY = 'guardkit:entry';

/** What it evaluates for what it is started for all day: by doing it. */
async function usualModules(options, { name, preparer }) {
  const outfile = join(root, `node_modules/.cache/told-${name}-${process.pid}.js`);
  await build({ ...options, outdir: undefined, entryNames: undefined, outfile, entryPoints: [ENTRY] });
  try {
    const told = execFileSync(process.execPath, ['scripts/compile-program.js', outfile, '', preparer], {
      cwd: root,
      stdio: ['inherit', 'pipe', 'inherit'],
      encoding: 'utf8',
    });
    return JSON.parse(told);
  } finally {
    rmSync(outfile);
  }
}

function entryWith(entry, exports, modules) {
  const required = modules.map((module) => `require(${JSON.stringify(module)});`).join('\n');
  const getters = exports.map(
    (name) => `get ${name}() { return require(${JSON.stringify(entry)}).${name}; },`,
  );
  return {
    name: 'entry',
    setup({ onLoad, onResolve }) {
      onResolve({ filter: /^guardkit:entry$/ }, ({ path }) => ({ path, namespace: LAZY }));
      onLoad({ filter: /^guardkit:entry$/, namespace: LAZY }, () => ({
        resolveDir: root,
        contents: `module.exports = { ${getters.join('\n')} evaluate() { ${required} } };`,
      }));
    },
  };
}
