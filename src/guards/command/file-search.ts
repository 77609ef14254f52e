import { posix } from 'node:path';
import { fitsPattern } from './words/fits-pattern.ts';

/** One condition of a search. `limit` is any condition not about names: `-empty` leaves few files, `-mtime` may leave many. */
export type SearchTest =
  | { type: 'name' | 'path'; pattern: string; anyCase: boolean; not: boolean }
  | { type: 'limit'; close: boolean; not: boolean }
  | { type: 'group'; alternatives: readonly (readonly SearchTest[])[]; not: boolean };

/** A search by `find`, `fd` or `ls`. */
export interface FileSearch {
  /** Absolute. */
  folder: string;
  /** The folder as written in the command; path patterns start with it. */
  given: string;
  /** Each is a list of tests that must all match. */
  alternatives: readonly (readonly SearchTest[])[];
  /** Folders that it skips. */
  pruned: readonly (readonly SearchTest[])[];
  /** `-maxdepth`. */
  deepest: number | undefined;
  /** Whether it finds hidden files. */
  hidden: boolean;
  /** The letter of `-type`. */
  kind: string | undefined;
}

/** From the widest to the narrowest: all of a folder, an unknown part, files of a kind, or only named files. */
export type SearchExtent = 'all' | 'part' | 'kind' | 'named';

const EXTENTS: readonly SearchExtent[] = ['all', 'part', 'kind', 'named'];

/** How much of a folder a search finds. */
export function searchExtent({ alternatives, kind }: FileSearch): SearchExtent {
  return kind === 'l' ? 'named' : widest(alternatives);
}

function widest(alternatives: readonly (readonly SearchTest[])[]): SearchExtent {
  const extents = alternatives.map((tests) => narrowest(tests));
  return EXTENTS.find((extent) => extents.includes(extent)) ?? 'all';
}

function narrowest(tests: readonly SearchTest[]): SearchExtent {
  const extents = tests.map(extentOf);
  return EXTENTS.findLast((extent) => extents.includes(extent)) ?? 'all';
}

function extentOf(test: SearchTest): SearchExtent {
  if (test.not) return test.type === 'limit' && !test.close ? 'part' : 'all';
  if (test.type === 'group') return widest(test.alternatives);
  if (test.type === 'limit') return test.close ? 'named' : 'part';
  if (/^(?:[*?./]|\[[!^]?\.\])*$/.test(test.pattern)) return 'all';
  return /^(?:\*\/)?\*\.[\w*?]{1,20}$/.test(test.pattern) ? 'kind' : 'named';
}

/** Whether a search finds an absolute path below its folder. Ignores limits that are not about names. */
export function isFound(path: string, search: FileSearch): boolean {
  const relative = path.slice(search.folder === '/' ? 1 : search.folder.length + 1);
  const parts = relative.split('/');
  if (search.deepest !== undefined && parts.length > search.deepest) return false;
  if (!search.hidden && parts.some((part) => part.startsWith('.'))) return false;
  for (let depth = 1; depth <= parts.length && search.pruned.length > 0; depth += 1)
    if (fitsAny(shownPath(parts.slice(0, depth).join('/'), search), search.pruned)) return false;
  return fitsAny(shownPath(relative, search), search.alternatives);
}

function shownPath(relative: string, { given }: FileSearch): string {
  return given.endsWith('/') ? `${given}${relative}` : `${given}/${relative}`;
}

function fitsAny(path: string, alternatives: readonly (readonly SearchTest[])[]): boolean {
  return alternatives.some((tests) => tests.every((test) => fitsTest(path, test)));
}

function fitsTest(path: string, test: SearchTest): boolean {
  if (test.type === 'limit') return test.close && test.not;
  if (test.type === 'group') return fitsAny(path, test.alternatives) !== test.not;
  const text = test.type === 'name' ? posix.basename(path) : path;
  const fits = test.anyCase
    ? fitsPattern(text.toLowerCase(), test.pattern.toLowerCase())
    : fitsPattern(text, test.pattern);
  return fits !== test.not;
}
