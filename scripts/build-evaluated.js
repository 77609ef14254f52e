// Scripts that evaluate each of their modules when something of it is first used, and that can be told to evaluate all that
// they usually need beforehand: so is one that is made into a snapshot. What they seldom need lies in a script beside them,
// since all that a script has is read at every start.
import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { LAZY, lazyModules } from './lazy-modules.js';

const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * `options` is what esbuild is told for every script, `entry` the module whose `exports` the script has. It is tried as
 * `scripts/compile-program.js` is told with `trial`; `also` are modules that every start needs and the trial has something
 * else for. `later` is a further script that it is loaded with: of what either of the two has, that has nothing. Gives what
 * esbuild says of the script, of the rest beside it, and of the further one.
 */
export async function buildEvaluated(
  options,
  { name, entry, exports, plugins = [], trial, also = [], later },
) {
  const lazy = { folder: join(root, 'src'), target: options.target };
  const all = new Set();
  const tried = await usualModules(options, { name, entry, exports, plugins, trial, lazy, all });
  const usual = [...new Set([...tried, ...also])];
  const isUsual = new Set(usual);
  const others = [...all]
    .sort()
    .filter((module) => !isUsual.has(module) && !options.external.includes(module));
  const rest = await build({
    ...options,
    entryPoints: { [`program/${name}.rest`]: ENTRY },
    banner: { js: script('__part') },
    plugins: [
      entryWith(`module.exports = { ${partOf(others)} };`),
      ...plugins,
      lazyModules({
        ...lazy,
        elsewhere: (module) => isUsual.has(module) && all.has(module) && `__part(${idOf(module)})`,
      }),
    ],
  });
  const isOther = new Set(others);
  const restFile = basename(Object.keys(rest.metafile.outputs).find((file) => file.endsWith('.js')));
  const main = await build({
    ...options,
    entryPoints: { [`program/${name}`]: ENTRY },
    banner: {
      js: `${script('__load')}var __rest,__other=(n)=>(__rest??=__load(${JSON.stringify(restFile)},(m)=>module.exports.part(m))).part(n);`,
    },
    plugins: [
      entryWith(
        `module.exports = { ${getters(entry, exports)} ${evaluating(usual)}, loadRest() { __other(''); }, shared: (name) => module.exports.part(name) ?? __other(name), ${partOf(usual.filter((module) => all.has(module)))} };`,
      ),
      ...plugins,
      lazyModules({ ...lazy, elsewhere: (module) => isOther.has(module) && `__other(${idOf(module)})` }),
    ],
  });
  const isShared = (module) => all.has(module) && !options.external.includes(module);
  const further =
    later &&
    (await build({
      ...options,
      entryPoints: { [`program/${later.name}`]: later.entry },
      banner: { js: script('__part') },
      plugins: [
        lazyModules({ ...lazy, elsewhere: (module) => isShared(module) && `__part(${idOf(module)})` }),
      ],
    }));
  return { main, rest, further };
}

const ENTRY = 'guardkit:entry';

function script(last) {
  return `(function (module, require, __url, __import, ${last}) {`;
}

/** What it evaluates for what it is started for all day: by doing it. `all` is given what it could evaluate. */
async function usualModules(options, { name, entry, exports, plugins, trial, lazy, all }) {
  const outfile = join(root, `node_modules/.cache/told-${name}-${process.pid}.js`);
  await build({
    ...options,
    outdir: undefined,
    entryNames: undefined,
    outfile,
    entryPoints: [ENTRY],
    plugins: [
      entryWith(`module.exports = { ${getters(entry, exports)} };`),
      ...plugins,
      lazyModules({ ...lazy, told: '__evaluated', all }),
    ],
  });
  try {
    const told = execFileSync(process.execPath, ['scripts/compile-program.js', outfile, ...trial], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'inherit'],
      encoding: 'utf8',
    });
    return JSON.parse(told);
  } finally {
    rmSync(outfile);
  }
}

function getters(entry, exports) {
  return exports
    .map((name) => `get ${name}() { return require(${JSON.stringify(entry)}).${name}; },`)
    .join('\n');
}

function evaluating(modules) {
  return `evaluate() { ${modules.map((module) => `require(${JSON.stringify(module)});`).join('\n')} }`;
}

/** Gives each module by its name to the script that does not have it. One function, which is only compiled once it is used. */
function partOf(modules) {
  const cases = modules.map((module) => `case ${idOf(module)}: return require(${JSON.stringify(module)});`);
  return `part(name) { switch (name) { ${cases.join('\n')} } }`;
}

/** A name that does not say where the sources lie. */
function idOf(module) {
  return JSON.stringify(module.startsWith(root) ? module.slice(root.length) : module);
}

function entryWith(contents) {
  return {
    name: 'entry',
    setup({ onLoad, onResolve }) {
      onResolve({ filter: /^guardkit:entry$/ }, ({ path }) => ({ path, namespace: LAZY }));
      onLoad({ filter: /^guardkit:entry$/, namespace: LAZY }, () => ({ resolveDir: root, contents }));
    },
  };
}
