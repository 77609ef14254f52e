import { ITEM } from '../read-rust-examples.ts';

interface Documented {
  /** Its documentation's first line, counted from 0; its own line if it has none. */
  from: number;
  to: number;
  /** Whether it is inside another item. */
  isInside: boolean;
}

const MODULE = '//!';
const FENCE = /^\s*\/\/[/!]\s*[`~]{3}/;

/**
 * One version's code with the documentation of the other version, so that rustdoc runs the other version's examples. An
 * empty module stands for an item that only the other version has. An item counts if its name is unique in both versions.
 * Undefined if no example differs.
 */
export function withRustExamples(code: string, tests: string): string | undefined {
  const [lines, source] = [code.split('\n'), tests.split('\n')];
  const [here, there] = [documentedItems(lines), documentedItems(source)];
  const edits: { from: number; to: number; docs: string[] }[] = [];
  for (const [name, item] of there) {
    const docs = item && source.slice(item.from, item.to);
    if (!item || !docs?.some((line) => FENCE.test(line))) continue;
    const place = here.get(name);
    if (place && docs.join('\n') !== lines.slice(place.from, place.to).join('\n'))
      edits.push({ ...place, docs });
    if (here.has(name)) continue;
    if (name === MODULE) edits.push({ from: 0, to: 0, docs });
    else if (!item.isInside)
      edits.push({
        from: lines.length,
        to: lines.length,
        docs: ['', ...docs, `mod ${name} {`, '    #![allow(non_snake_case)]', '}'],
      });
  }
  if (edits.length === 0) return undefined;
  // From the end, so that earlier places stay where they are.
  for (const { from, to, docs } of edits.sort((one, other) => other.from - one.from))
    lines.splice(from, to - from, ...docs);
  return lines.join('\n');
}

/** The items of a file by name, with the places of their documentation; undefined if several have the name. */
function documentedItems(lines: readonly string[]): Map<string, Documented | undefined> {
  const found = new Map<string, Documented | undefined>();
  let docs: { from: number; to: number } | undefined;
  for (const [at, line] of lines.entries()) {
    const isInside = /^\s/.test(line);
    const sign = /^\s*\/\/([/!])(?!\/)/.exec(line)?.[1];
    if (sign === '!') {
      const { from, to } = found.get(MODULE) ?? { from: at, to: at };
      // Further lines belong to a module inside the file.
      if (to === at) found.set(MODULE, { from, to: at + 1, isInside });
    } else if (sign === '/') docs = { from: docs?.from ?? at, to: at + 1 };
    else if (!/^\s*(?:#|$|\/\/)/.test(line)) {
      const name = ITEM.exec(line)?.[1];
      const place = { ...(docs ?? { from: at, to: at }), isInside };
      if (name !== undefined) found.set(name, found.has(name) ? undefined : place);
      docs = undefined;
    }
  }
  return found;
}
