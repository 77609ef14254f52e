import { posix } from 'node:path';
import { isTestFile } from '../../domain/is-test-file.ts';
import { languageOf } from './source-language.ts';

/** Finds which of some files other files import. */
export interface ImportIndex {
  importedBy(path: string, text: string): ReadonlySet<string>;
}

const MAX_TEXT = 2 * 1024 * 1024;
const LITERAL = /(['"`])((?:(?!\1)[^\\\n]){1,300})\1/g;
const IMPORT_BEFORE =
  /(?:\b(?:from|import|require|resolve|URL|Worker|fork|lazy|include|include_str|include_bytes)\b!?\s{0,9}\(?\s{0,9}|=\s{0,9})$/;
// The join of a string does not build a path.
const JOINED = /(?<!['"`]\.)\b(?:join|resolve|joinpath|Path)\(([^()\n]{1,300})\)/g;
const DOTTED_IMPORT =
  /^[ \t]*(?:from\s+([.\w]+)\s+import\s+\(?([^\n#)]*)|import\s+(?:static\s+)?([\w., ]+))/gm;
const RUST_MODULE = /\bmod\s{1,9}(?:r#)?(\w{1,100})\s{0,9};/g;
const DOTTED_LITERAL = /^[A-Za-z_][\w]*(?:\.[A-Za-z_]\w*)+(?::[\w.]+)?$/;

/** Indexes the files by the ways in which code may name them: a path without its extension, a folder, a module. */
export function importIndex(files: Iterable<string>): ImportIndex {
  const own = new Set(files);
  const stems = new Map<string, string[]>();
  const folders = new Map<string, string[]>();
  const put = (map: Map<string, string[]>, key: string, path: string) =>
    map.set(key, [...(map.get(key) ?? []), path]);
  for (const path of own) {
    const stem = stemOf(path);
    put(stems, stem, path);
    const folder = posix.dirname(path);
    if (/^(?:index|__init__|mod|main)$/.test(posix.basename(stem))) put(stems, folder, path);
    for (let at = folder; at !== '.'; at = posix.dirname(at)) put(folders, at, path);
  }

  const byPath = (path: string): string[] => stems.get(stemOf(path)) ?? stems.get(path) ?? [];
  /** By the longest end of a path that starts at the root; the name of a package or an alias may precede it. */
  const byEnd = (parts: readonly string[], least: number): string[] => {
    for (let skip = 0; parts.length - skip >= least; skip += 1) {
      const found = byPath(parts.slice(skip).join('/'));
      if (found.length > 0) return found;
    }
    return [];
  };
  const inFolder = (folder: string): string[] => folders.get(folder.replace(/\/$/, '')) ?? [];

  const ofLiteral = (literal: string, folder: string, isImport: boolean): string[] => {
    const cut = literal.indexOf('${');
    const path = cut === -1 ? literal : literal.slice(0, cut);
    const isRelative = /^\.{1,2}(?:\/|$)/.test(path);
    const joined = posix.normalize(posix.join(folder, path));
    // The rest of the name is computed at run time: any file of the folder may be meant.
    if (isRelative && (cut !== -1 || path.endsWith('/')))
      return inFolder(joined.endsWith('/') ? joined : posix.dirname(joined)).filter((one) =>
        isMeant(one, literal),
      );
    if (isRelative) return byPath(joined);
    if (!isImport || !path.includes('/')) return [];
    return [...byPath(joined), ...byEnd(path.replace(/^[@~#]+\//, '').split('/'), 2)];
  };
  const ofModule = (name: string, folder: string): string[] => {
    const dots = /^\.*/.exec(name)?.[0].length ?? 0;
    const parts = name
      .slice(dots)
      .split('.')
      .filter((part) => part !== '');
    if (dots > 0) return byPath(posix.normalize(posix.join(folder, '../'.repeat(dots - 1), ...parts)));
    const path = parts.join('/');
    return [...byPath(path), ...byPath(posix.join(folder, path)), ...byPath(`src/${path}`)];
  };

  return {
    importedBy(path, text) {
      const found = new Set<string>();
      const add = (paths: readonly string[]) => {
        for (const one of paths) if (one !== path) found.add(one);
      };
      if (text.length > MAX_TEXT) return found;
      const folder = posix.dirname(path);
      const language = languageOf(path);
      for (const match of text.matchAll(LITERAL)) {
        const literal = match[2] ?? '';
        const isImport =
          IMPORT_BEFORE.test(text.slice(Math.max(0, match.index - 40), match.index)) ||
          // After the package's folder: `concat!(env!("CARGO_MANIFEST_DIR"), "/…")`.
          (language === 'rs' && /^\/.*\.rs$/.test(literal));
        add(ofLiteral(literal, folder, isImport));
        if (language === 'go') add(goPackage(literal, inFolder));
        if (language === 'python' && DOTTED_LITERAL.test(literal))
          add(ofModule(literal.split(':')[0] ?? '', folder));
      }
      // Elsewhere, a module in a folder of tests or examples is for them.
      if (language === 'rs' && own.has(path))
        for (const [, name = ''] of text.matchAll(RUST_MODULE))
          add([folder, stemOf(path)].flatMap((place) => byPath(posix.join(place, name))));
      for (const match of text.matchAll(JOINED)) {
        const parts = [...(match[1] ?? '').matchAll(/['"`]([^'"`\n]{1,200})['"`]/g)].map(
          (one) => one[1] ?? '',
        );
        const joined = parts
          .join('/')
          .split('/')
          .filter((part) => part !== '..' && part !== '.');
        if (joined.length > 0) add(byEnd(joined, 2));
        // Its file names are computed at run time.
        if (joined.length === 1) add(inFolder(joined[0] ?? '').filter((one) => isMeant(one, '')));
      }
      if (language === 'python' || language === 'jvm')
        for (const match of text.matchAll(DOTTED_IMPORT)) {
          const [, from, names = '', plain = ''] = match;
          for (const name of plain.split(',')) add(ofModule(name.trim().split(' ')[0] ?? '', folder));
          if (from === undefined) continue;
          add(ofModule(from, folder));
          for (const name of names.split(','))
            add(ofModule(`${from.endsWith('.') ? from : `${from}.`}${name.trim().split(' ')[0]}`, folder));
        }
      return found;
    },
  };
}

/** Tests next to the files of a folder are not imported with them, unless named. */
function isMeant(path: string, literal: string): boolean {
  const end = literal.slice(literal.lastIndexOf('}') + 1);
  return !isTestFile(path) || (/[._-](?:test|spec)\b/.test(end) && stemOf(path).endsWith(stemOf(end)));
}

/** The files of the package that a Go import ends in. */
function goPackage(literal: string, inFolder: (folder: string) => string[]): string[] {
  if (!literal.includes('/')) return [];
  const parts = literal.split('/');
  for (let skip = 0; skip < parts.length; skip += 1) {
    const folder = parts.slice(skip).join('/');
    const found = inFolder(folder).filter(
      (path) => posix.dirname(path) === folder && !path.endsWith('_test.go'),
    );
    if (found.length > 0) return found;
  }
  return [];
}

function stemOf(path: string): string {
  return path.replace(/\.(?:d\.)?[A-Za-z]{1,7}$/, '');
}
