import type { TestResult } from '../../../domain/entities/test-report.ts';
import { ITEM } from '../read-rust-examples.ts';

interface Documented {
  /** Its documentation's first line, counted from 0; its own line if it has none. */
  from: number;
  to: number;
}

const MODULE = '//!';
const FENCE = /^\s*\/\/[/!]\s*[`~]{3}/;
const DOCUMENTATION = /^\s*\/\/\/(?!\/)/;

/** Starts the name of a module that stands for an item of the other version; the rest is the item's path in hexadecimal. */
const MARK = 'other_version_';

/**
 * One version's code with the documentation of the other version, so that rustdoc runs the other version's examples. An
 * empty module stands for an item that only the other version has: it always compiles, whatever the item's name and the
 * names that the code uses. An item counts if its path is unique in both versions. Undefined if no example differs.
 */
export function withRustExamples(code: string, tests: string): string | undefined {
  const [lines, source] = [code.split('\n'), tests.split('\n')];
  const [here, there] = [documentedItems(lines), documentedItems(source)];
  const edits: { from: number; to: number; docs: string[] }[] = [];
  for (const [path, item] of there) {
    if (!item) continue;
    const isDocumentation = (line: string) => path === MODULE || DOCUMENTATION.test(line);
    // Attributes between the lines belong to the code.
    const docs = source.slice(item.from, item.to).filter(isDocumentation);
    if (!docs.some((line) => FENCE.test(line))) continue;
    const place = here.get(path);
    const own = place && lines.slice(place.from, place.to);
    if (place && own && docs.join('\n') !== own.filter(isDocumentation).join('\n'))
      edits.push({ ...place, docs: [...docs, ...own.filter((line) => !isDocumentation(line))] });
    if (here.has(path)) continue;
    if (path === MODULE) edits.push({ from: 0, to: 0, docs });
    else {
      const name = `${MARK}${Buffer.from(path).toString('hex')}`;
      edits.push({ from: lines.length, to: lines.length, docs: ['', ...docs, `mod ${name} {}`] });
    }
  }
  if (edits.length === 0) return undefined;
  const result: string[] = [];
  let at = 0;
  for (const { from, to, docs } of edits.sort((one, other) => one.from - other.from)) {
    for (const line of [...lines.slice(at, from), ...docs]) result.push(line);
    at = to;
  }
  return [...result, ...lines.slice(at)].join('\n');
}

/** The results with the names of the items that modules stand for. Only for the base with the change's examples. */
export function namedRustExamples(results: readonly TestResult[]): readonly TestResult[] {
  return results.map((one) => {
    const name = one.name.replace(
      /other_version_([0-9a-f]{2,2000})(?=(?: #\d{1,9})?$)/,
      (_whole, path: string) => Buffer.from(path, 'hex').toString().split('::').join(' > '),
    );
    return name === one.name ? one : { ...one, name };
  });
}

/** The items of a file by path, with the places of their documentation; undefined if several have the path. */
function documentedItems(lines: readonly string[]): Map<string, Documented | undefined> {
  const found = new Map<string, Documented | undefined>();
  const around: { indent: number; name: string }[] = [];
  let docs: { from: number; to: number } | undefined;
  for (const [at, line] of lines.entries()) {
    const sign = /^\s*\/\/([/!])(?!\/)/.exec(line)?.[1];
    if (sign === '!') {
      const { from, to } = found.get(MODULE) ?? { from: at, to: at };
      // Further lines belong to a module inside the file.
      if (to === at) found.set(MODULE, { from, to: at + 1 });
    } else if (sign === '/') docs = { from: docs?.from ?? at, to: at + 1 };
    else if (!/^\s*(?:#|$|\/\/)/.test(line)) {
      const indent = line.length - line.trimStart().length;
      // The body of an item may start on a line of its own.
      if (!/^\s*(?:where\b|\{)/.test(line))
        while (around.length > 0 && indent <= (around.at(-1)?.indent ?? 0)) around.pop();
      const name = ITEM.exec(line)?.[1];
      const path = [...around.map((one) => one.name), name].join('::');
      if (name !== undefined) found.set(path, found.has(path) ? undefined : (docs ?? { from: at, to: at }));
      const outer = isOuter(line) ? name : implementedType(line);
      if (outer !== undefined) around.push({ indent, name: outer });
      docs = undefined;
    }
  }
  return found;
}

function isOuter(line: string): boolean {
  return /^\s*(?:pub(?:\([\w:\s]{1,40}\))?\s{1,9})?(?:unsafe\s{1,9})?(?:mod|trait)\s/.test(line);
}

/** The type of an `impl`, as rustdoc writes it: of `impl<T> From<u8> for Sum<T> {`, `Sum<T>`. */
function implementedType(line: string): string | undefined {
  const [whole] = /^\s*(?:unsafe\s{1,9})?impl(?=[\s<])/.exec(line) ?? [];
  if (whole === undefined) return undefined;
  const rest = line.slice(whole.length);
  let at = 0;
  // The parameters of the `impl` itself.
  for (let depth = 0; rest[0] === '<' && at < rest.length; ) {
    if (rest[at] === '<') depth += 1;
    else if (rest[at] === '>') depth -= 1;
    at += 1;
    if (depth === 0) break;
  }
  const [header = ''] = rest.slice(at).split(/\{|\bwhere\b/, 1);
  return header.split(' for ').at(-1)?.trim();
}
