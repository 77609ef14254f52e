// An esbuild plugin that evaluates each of our modules on first use instead of on import. A hook answers one event and ends,
// and needs few of them.
import { readdir, readFile } from 'node:fs/promises';
import { dirname, isAbsolute, join, sep } from 'node:path';
import { build, transform } from 'esbuild';
import * as zod from 'zod';

/** esbuild's namespace for our modules. */
const LAZY = 'lazy';

/** `folder` contains our sources, whose modules only define and have no side effects. */
export function lazyModules({ folder, target }) {
  return {
    name: 'lazy-modules',
    setup({ onLoad, onResolve }) {
      const isOurs = (path) => path.startsWith(folder + sep) && path.endsWith('.ts');
      onResolve({ filter: /^\.|\.ts$/ }, ({ path, resolveDir, kind }) => {
        const file = isAbsolute(path)
          ? path
          : join(kind === 'entry-point' ? dirname(folder) : resolveDir, path);
        return isOurs(file) ? { path: file, namespace: LAZY } : undefined;
      });
      onLoad({ filter: /.*/, namespace: LAZY }, async ({ path }) => {
        const source = await readFile(path, 'utf8');
        const { code } = await transform(source, {
          loader: 'ts',
          format: 'cjs',
          platform: 'node',
          target,
          sourcefile: path,
          // A script has no import.meta; its caller passes the URL.
          define: { 'import.meta.url': '__url' },
        });
        return {
          contents: makeLazy(code, source, path),
          loader: 'js',
          resolveDir: dirname(path),
        };
      });
      // Once each, because every call of Node's `require` takes time.
      onResolve({ filter: /^node:/ }, ({ path, namespace }) =>
        namespace === LAZY ? { path, namespace: 'built-in' } : undefined,
      );
      onLoad({ filter: /.*/, namespace: 'built-in' }, ({ path }) => ({
        contents: `module.exports = require(${JSON.stringify(path)});`,
      }));
      onResolve({ filter: /^zod$/ }, ({ namespace }) =>
        namespace === LAZY ? { path: 'zod', namespace: 'zod-in-use' } : undefined,
      );
      onLoad({ filter: /.*/, namespace: 'zod-in-use' }, async () => ({
        contents: await bundleZod(folder, target),
      }));
      onResolve({ filter: /^bindings$/ }, () => ({ path: 'bindings', namespace: 'own-bindings' }));
      onLoad({ filter: /.*/, namespace: 'own-bindings' }, () => ({ contents: OWN_BINDINGS }));
    },
  };
}

/** The parts of zod that our sources use. Otherwise all of zod would be included, with its texts in fifty languages. */
async function zodInUse(folder) {
  const names = new Set();
  for (const file of await readdir(folder, { recursive: true })) {
    if (!file.endsWith('.ts')) continue;
    const source = await readFile(join(folder, file), 'utf8');
    for (const [, name] of source.matchAll(/\bz\s*\.\s*(\w+)/g)) names.add(name);
  }
  // Our sources use only its types.
  names.delete('core');
  return [...names].filter((name) => Object.hasOwn(zod, name)).sort();
}

/** As one module: evaluating zod's many modules one by one takes twice as long. */
async function bundleZod(folder, target) {
  const { outputFiles } = await build({
    stdin: { contents: `export { ${(await zodInUse(folder)).join(', ')} } from 'zod';`, resolveDir: folder },
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    target,
  });
  return outputFiles[0].text;
}

/** Loads the addon from where npm puts it; the package's own search reads a dozen files. */
const OWN_BINDINGS = `
module.exports = (name) => {
  const { existsSync } = require('node:fs');
  const { fileURLToPath } = require('node:url');
  // Nested in this package, or a sibling of it.
  for (const modules of ['../../node_modules/', '../../../']) {
    const file = fileURLToPath(new URL(modules + 'better-sqlite3/build/Release/' + name, __url));
    if (!existsSync(file)) continue;
    const addon = { exports: {} };
    process.dlopen(addon, file);
    return addon.exports;
  }
  const manifest = require.resolve('better-sqlite3/package.json');
  const folder = manifest.slice(0, -'package.json'.length);
  try {
    return require(folder + 'build/Release/' + name);
  } catch (error) {
    if (error.code !== 'MODULE_NOT_FOUND') throw error;
    const { createRequire } = require('node:module');
    return createRequire(manifest)('bindings')({ bindings: name, module_root: folder });
  }
};`;

/** esbuild turns an import into a variable of its own and reads its members at each use. */
function makeLazy(code, source, path) {
  let lazy = withPlainExports(code);
  for (const [line, name, required] of code.matchAll(
    /^var (\w+) = ((?:__toESM\()?require\("[^"]+"\)(?:, 1)?\)?);$/gm,
  )) {
    if (!name.startsWith('import_')) {
      const loaded = `${name}_loaded`;
      const get = `(_, key) => (${loaded} ??= ${required})[key]`;
      lazy = lazy.replace(line, `var ${loaded};\nvar ${name} = new Proxy({}, { get: ${get} });`);
      continue;
    }
    // The same word in the source would be mistaken for esbuild's variable.
    if (source.includes(name)) throw new Error(`${path} contains ${name}, which is reserved for the build`);
    lazy = lazy.replace(line, '');
    if (new RegExp(`\\b${name}\\b(?!\\.)`).test(lazy)) throw new Error(`${path} uses ${name} as a whole`);
    const [, from] = /"([^"]+)"/.exec(required);
    if (from.startsWith('.') || from.startsWith('node:')) {
      lazy = lazy.replaceAll(new RegExp(`\\b${name}\\.`, 'g'), () => `(${required}).`);
      continue;
    }
    // A package: its conversion to a module takes time too, so it is cached.
    const loaded = `${name}_loaded`;
    lazy = lazy.replaceAll(new RegExp(`\\b${name}\\.`, 'g'), () => `(${loaded} ??= ${name}_load()).`);
    lazy += `\nvar ${loaded};\nfunction ${name}_load() { return ${required}; }\n`;
  }
  return lazy;
}

/** One object with getters; esbuild's export helpers would be repeated for every module. */
function withPlainExports(code) {
  const begin =
    /^var (\w+_exports) = \{\};\n__export\(\1, \{\n(?<members>[^}]*)\n\}\);\nmodule\.exports = __toCommonJS\(\1\);\n/m.exec(
      code,
    );
  if (!begin) return code;
  const rest = code.slice(begin.index + begin[0].length);
  const getters = begin.groups.members.replace(/^ {2}(\w+): \(\) => ([\w.]+)/gm, '  get $1() { return $2; }');
  const helpers = /\b__(?:toESM|reExport|export|copyProps)\b/.test(rest) ? code.slice(0, begin.index) : '';
  return `${helpers}module.exports = {\n${getters}\n};\n${rest}`;
}
