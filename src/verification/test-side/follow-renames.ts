import { posix } from 'node:path';

const ENDINGS = ['', '.js', '.ts', '.mjs', '.cjs', '.jsx', '.tsx', '.mts', '.cts', '.json'];
const SPECIFIER = /(['"`])(\.{1,2}\/[^'"`\n$]{1,300})\1/g;

/** The text of a test file with moved files named by their new paths, so that it still loads. */
export function followRenames(path: string, text: string, renames: ReadonlyMap<string, string>): string {
  if (renames.size === 0) return text;
  if (/\.[cm]?[jt]sx?$/.test(path)) return followInJs(path, text, renames);
  return path.endsWith('.py') ? followInPython(text, renames) : text;
}

function followInJs(path: string, text: string, renames: ReadonlyMap<string, string>): string {
  const folder = posix.dirname(path);
  return text.replace(SPECIFIER, (whole, quote: string, specifier: string) => {
    const target = posix.normalize(posix.join(folder, specifier));
    const from = movedFile(target, renames);
    const to = from === undefined ? undefined : renames.get(from);
    if (from === undefined || to === undefined) return whole;
    const moved = posix.relative(folder, written(target, from, to));
    return `${quote}${moved.startsWith('.') ? moved : `./${moved}`}${quote}`;
  });
}

/** The moved file that a specifier means: itself, without its extension, its folder, or its source. */
function movedFile(target: string, renames: ReadonlyMap<string, string>): string | undefined {
  const source = target.replace(/\.([cm]?)js(x?)$/, '.$1ts$2');
  const places = [
    ...ENDINGS.map((ending) => `${target}${ending}`),
    source,
    ...ENDINGS.map((ending) => `${target}/index${ending}`),
  ];
  return places.find((place) => renames.has(place));
}

/** The new path in the form of the old one. */
function written(target: string, from: string, to: string): string {
  if (target === from) return to;
  if (from.startsWith(`${target}/index`)) return to.replace(/\/index\.\w+$/, '');
  const ending = posix.extname(target);
  return (
    to.slice(0, to.length - posix.extname(to).length) +
    (from === `${target}${posix.extname(from)}` ? '' : ending)
  );
}

function followInPython(text: string, renames: ReadonlyMap<string, string>): string {
  let result = text;
  for (const [from, to] of renames) {
    const [old, now] = [moduleName(from), moduleName(to)];
    if (old === undefined || now === undefined) continue;
    result = replaceDotted(result, old, now);
    const [oldParent, oldName] = splitModule(old);
    const [nowParent, nowName] = splitModule(now);
    if (oldParent === '') continue;
    // `from package import module` names it in two parts.
    result = result.replace(
      /^([ \t]*)from[ \t]+([\w.]+)[ \t]+import[ \t]+(\w+)[ \t]*$/gm,
      (whole, indent, parent, name) =>
        parent === oldParent && name === oldName
          ? `${indent}from ${nowParent === '' ? '.' : nowParent} import ${nowName}${nowName === oldName ? '' : ` as ${oldName}`}`
          : whole,
    );
  }
  return result;
}

function moduleName(path: string): string | undefined {
  if (!path.endsWith('.py')) return undefined;
  return path
    .replace(/^(?:src|lib)\//, '')
    .replace(/(?:\/__init__)?\.py$/, '')
    .replaceAll('/', '.');
}

function splitModule(name: string): [string, string] {
  const at = name.lastIndexOf('.');
  return at === -1 ? ['', name] : [name.slice(0, at), name.slice(at + 1)];
}

/** Only whole dotted names; a module without a package is replaced only in imports. */
function replaceDotted(text: string, old: string, now: string): string {
  const isDotted = old.includes('.');
  return text
    .split('\n')
    .map((line) => {
      if (!line.includes(old) || !(isDotted || /^\s*(?:from|import)\s/.test(line))) return line;
      let result = '';
      let rest = line;
      for (let at = rest.indexOf(old); at !== -1; at = rest.indexOf(old)) {
        const before = at === 0 ? (result.at(-1) ?? '') : (rest[at - 1] ?? '');
        const after = rest[at + old.length] ?? '';
        const isWhole = !/[\w.]/.test(before) && !/\w/.test(after);
        const alias = !isDotted && isWhole && /^\s*import\s/.test(line) ? ` as ${old}` : '';
        result += rest.slice(0, at) + (isWhole ? `${now}${alias}` : old);
        rest = rest.slice(at + old.length);
      }
      return result + rest;
    })
    .join('\n');
}
