import { posix } from 'node:path';

const JS = /\.[cm]?[jt]sx?$/;
const JS_IMPORT =
  /^import\b([^'";]{1,4000}?)\bfrom\s*(['"][^'"\n]+['"])((?:[ \t]*(?:with|assert)[ \t]*\{[^}\n]*\})?);?/gm;
const REQUIRE =
  /^(?:const|let|var)\s+([\w$]+|\{[^{}]{0,4000}\})\s*=\s*require\(\s*(['"][^'"\n]+['"])\s*\)(?![ \t]*[.([])[ \t]*;?/gm;
const JS_IMPORT_ALONE = /^import\s*['"][^'"\n]+['"];?/gm;
/** By a dynamic import too, or only a member of a module. */
const JS_LOADED =
  /^(?:const|let|var)\s+(?:[\w$]+|\{[^{}]{0,4000}\})\s*=\s*(?:await\s+import|require)\(\s*(['"])[^'"\n]+\1\s*\)(?:\.[\w$]+)*[ \t]*;?[ \t]*$/gm;
const JS_COMMENT = /\/\/[^\n]*|\/\*[^*]*\*\//g;
const FROM = /^([ \t]*)from[ \t]+([\w.]+)[ \t]+import\b([^\n(]+|[ \t]*\([^)]{0,4000}\)[^\n]*)$/gm;
const PYTHON_IMPORT = /^([ \t]*)import[ \t]([^\n]+)$/gm;

/** An import of several names, of which some are removed. */
interface Parts {
  gone: string[];
  kept: string;
}

/**
 * Keeps a test file loadable without removed names: moved ones are imported from their new file, and a test that needs
 * one of the others fails on its own.
 */
export function withoutRemovedImports(
  path: string,
  text: string,
  removed: ReadonlySet<string>,
  moved: ReadonlyMap<string, string> = new Map(),
): string {
  if (removed.size === 0) return text;
  if (path.endsWith('.py')) return inPythonFile(path, text, removed, moved);
  return JS.test(path) ? inJsFile(path, text, removed, moved) : text;
}

/** The text with empty lines instead of its imports. */
export function withoutImports(path: string, text: string): string {
  const ofJs = JS.test(path) ? [JS_IMPORT, JS_IMPORT_ALONE, REQUIRE, JS_LOADED] : [];
  const statements = path.endsWith('.py') ? [FROM, PYTHON_IMPORT] : ofJs;
  return statements.reduce(
    (rest, statement) => rest.replace(statement, (found) => found.replace(/[^\n]+/g, '')),
    text,
  );
}

function inPythonFile(
  path: string,
  text: string,
  removed: ReadonlySet<string>,
  moved: ReadonlyMap<string, string>,
): string {
  const split = (list: string) => splitNames(list.replace(/#[^\n]*/g, '').replace(/[()]/g, ''), removed);
  return text
    .replace(FROM, (whole, indent: string, module: string, list: string) => {
      const { gone, kept } = split(list);
      if (gone.length === 0) return whole;
      const rest = kept === '' ? [] : [`from ${module} import ${kept}`];
      return `${indent}${[...rest, ...gone.map((part) => inPython(path, part, module, moved))].join('; ')}`;
    })
    .replace(PYTHON_IMPORT, (whole, indent: string, list: string) => {
      const { gone, kept } = split(list);
      if (gone.length === 0) return whole;
      const rest = kept === '' ? [] : [`import ${kept}`];
      return `${indent}${[...rest, ...gone.map(withoutModule)].join('; ')}`;
    });
}

function inPython(path: string, part: string, from: string, moved: ReadonlyMap<string, string>): string {
  const place = moved.get(importedName(part));
  return place === undefined
    ? `${localName(part)} = ()`
    : `from ${pythonModule(path, place, from)} import ${part}`;
}

/** How a test file imports a module at a new place: like the old one, relative to itself or to a folder on its path. */
function pythonModule(path: string, place: string, from: string): string {
  const plain = place.replace(/(?:\/__init__)?\.py$/, '');
  if (from.startsWith('.')) {
    const steps = posix.relative(posix.dirname(path), plain).split('/');
    const up = steps.filter((step) => step === '..').length;
    return `.${'.'.repeat(up)}${steps.slice(up).join('.')}`;
  }
  const parts = plain.replace(/^(?:src|lib)\//, '').split('/');
  const root = parts.indexOf(from.split('.')[0] ?? '');
  return parts.slice(Math.max(root, 0)).join('.');
}

/** Of `import package.module`, the package stays. */
function withoutModule(part: string): string {
  const local = localName(part);
  return local.includes('.') ? `import ${local.slice(0, local.lastIndexOf('.'))}` : `${local} = ()`;
}

function inJsFile(
  path: string,
  text: string,
  removed: ReadonlySet<string>,
  moved: ReadonlyMap<string, string>,
): string {
  return text
    .replace(JS_IMPORT, (whole, clause: string, module: string, attributes: string) => {
      const [before = '', list = ''] = clause.split(/[{}]/);
      const named = splitNames(list, removed);
      const own = splitNames(before, removed);
      if (named.gone.length + own.gone.length === 0 || before.trim() === 'type') return whole;
      const kept = [own.kept, named.kept && `{ ${named.kept} }`].filter((one) => one !== '').join(', ');
      const rest = kept === '' ? [] : [`import ${kept} from ${module}${attributes};`];
      const emptyNames = own.gone.map((part) => withoutValue(path, localName(part)));
      return keepLines(whole, [...rest, ...emptyNames, ...named.gone.map((part) => inJs(path, part, moved))]);
    })
    .replace(REQUIRE, (whole, pattern: string, module: string) => {
      if (!pattern.startsWith('{')) return removed.has(pattern) ? withoutValue(path, pattern) : whole;
      const { gone, kept } = splitNames(pattern.slice(1, -1), removed);
      if (gone.length === 0) return whole;
      const rest = kept === '' ? [] : [`const { ${kept} } = require(${module});`];
      return keepLines(whole, [...rest, ...gone.map((part) => inCommonJs(path, part, moved))]);
    });
}

/** What follows stays on its lines. */
function keepLines(whole: string, statements: readonly string[]): string {
  return `${statements.join(' ')}${whole.replace(/[^\n]+/g, '')}`;
}

function inJs(path: string, part: string, moved: ReadonlyMap<string, string>): string {
  const place = moved.get(importedName(part));
  if (place === undefined) return withoutValue(path, localName(part));
  return `import { ${part} } from '${jsModule(path, place).replace(/\.([cm]?)ts(x?)$/, '.$1js$2')}';`;
}

function inCommonJs(path: string, part: string, moved: ReadonlyMap<string, string>): string {
  const place = moved.get(importedName(part));
  if (place === undefined) return withoutValue(path, localName(part));
  return `const { ${part} } = require('${jsModule(path, place)}');`;
}

function jsModule(path: string, place: string): string {
  const module = posix.relative(posix.dirname(path), place);
  return module.startsWith('.') ? module : `./${module}`;
}

/** Empty rather than undefined: the file still loads if its tests are made from a list that has gone. */
function withoutValue(path: string, name: string): string {
  return `const ${name}${/\.[cm]?tsx?$/.test(path) ? ': any' : ''} = [];`;
}

function splitNames(list: string, removed: ReadonlySet<string>): Parts {
  const parts = list
    .replace(JS_COMMENT, '')
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
  const isGone = (part: string) => removed.has(localName(part));
  return { gone: parts.filter(isGone), kept: parts.filter((part) => !isGone(part)).join(', ') };
}

/** Of `a as b` and `a: b`, `a`. */
export function importedName(part: string): string {
  return wordsOf(part)[0] ?? '';
}

export function localName(part: string): string {
  return wordsOf(part).at(-1) ?? '';
}

function wordsOf(part: string): string[] {
  const words = part
    .trim()
    .replace(/^type\s+/, '')
    .replace(/\s*=.*$/s, '');
  return words.split(/\sas\s|:/).map((word) => word.trim());
}
