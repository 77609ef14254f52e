import type { TestFile } from '../test-files/match-tests.ts';

const JS = /\.[cm]?[jt]sx?$/;
const PYTHON_IMPORT =
  /^[ \t]*(?:from[ \t]{1,9}[\w.]{1,300}[ \t]{1,9}import[ \t]{1,9}(\([^()]{0,2000}\)|[^\n#]{0,2000})|import[ \t]{1,9}([^\n#]{0,2000}))/gm;
const JS_IMPORT =
  /\bimport\s([^'"`;]{1,500}?)\sfrom\b|\b(?:const|let|var)\s{1,9}([\w$]{1,80}|\{[^{}]{0,500}\})\s{0,9}=\s{0,9}(?:await\s{1,9})?(?:require|import)\s{0,9}\(/g;
/** Another name for an imported object, or for a part of it. */
const ALIAS =
  /^[ \t]*(?:(?:const|let|var)[ \t]{1,9})?([\w$]{1,80})[ \t]{0,9}=[ \t]{0,9}([\w$]{1,80})(?:\.[\w$]{1,80}){0,9}[ \t]{0,9};?\r?$/;
const DESTRUCTURED =
  /^[ \t]*(?:const|let|var)[ \t]{1,9}\{([^{}]{1,300})\}[ \t]{0,9}=[ \t]{0,9}([\w$]{1,80})\b/;
const WORD = /^[\w$]+$/;
const ASSIGNED = /^[ \t]*([\w$]{1,80})(?:\.[\w$]{1,80}|\[[^\]\n]{1,80}\]){1,9}[ \t]{0,9}=(?![=>])/;
const SET =
  /(?:(?<![.\w])setattr|\bObject\.(?:assign|definePropert(?:y|ies)|setPrototypeOf)|\bReflect\.set)\(\s{0,9}([\w$]{1,80})/g;
const LOADED =
  /\bsys\.modules\b[^\n]{0,200}(?:=|\bupdate\(|\bpop\()|\bpatch[\w.]{0,80}\([^\n]{0,300}\)\.start\(|\brequire\.cache\b|\bModule\.(?:_load|_extensions|_resolveFilename|prototype)\b/;
const LANGUAGE = [
  'Object',
  'Array',
  'JSON',
  'Math',
  'Number',
  'String',
  'RegExp',
  'Map',
  'Set',
  'Function',
  'Reflect',
];
const GO = /^func[ \t]+init\(\)|^var[ \t]+_[ \t]*=/;

/**
 * Test files that begin to change objects which they import, such as a class of the product: in runners with one process,
 * that affects all other tests.
 */
export function reachingFiles(before: readonly TestFile[], after: readonly TestFile[]): string[] {
  const old = new Map(before.map(({ path, text }) => [path, text]));
  return after
    .filter(({ path, text }) => {
      const known = new Set((old.get(path) ?? '').split('\n').map((line) => line.trim()));
      const lines = text.split('\n').filter((line) => !known.has(line.trim()));
      return reaches(path, text, lines);
    })
    .map(({ path }) => path);
}

function reaches(path: string, text: string, lines: readonly string[]): boolean {
  if (path.endsWith('.go')) return lines.some((line) => GO.test(line));
  if (!path.endsWith('.py') && !JS.test(path)) return false;
  const shared = importedNames(path, text);
  return lines.some((line) => {
    const [, assigned] = ASSIGNED.exec(line) ?? [];
    if (assigned !== undefined && shared.has(assigned)) return true;
    return [...line.matchAll(SET)].some(([, name = '']) => shared.has(name)) || LOADED.test(line);
  });
}

function importedNames(path: string, text: string): Set<string> {
  const isPython = path.endsWith('.py');
  const found = new Set(isPython ? [] : LANGUAGE);
  for (const [, first, second] of text.matchAll(isPython ? PYTHON_IMPORT : JS_IMPORT))
    for (const name of localNames(first ?? second ?? '')) found.add(name);
  for (const line of text.split('\n')) {
    const [, alias = '', of = ''] = ALIAS.exec(line) ?? [];
    if (alias !== '' && found.has(of)) found.add(alias);
    const [, names = '', from = ''] = DESTRUCTURED.exec(line) ?? [];
    if (found.has(from)) for (const name of localNames(names)) found.add(name);
  }
  return found;
}

/** Of `{ a, b: c, d as e }`, `* as f` and `g.h`, the names in this file. */
function localNames(text: string): string[] {
  return text
    .replace(/[(){}]/g, ',')
    .split(',')
    .map(
      (one) =>
        one
          .trim()
          .replace(/^.*(?:\bas\s+|:\s*)/, '')
          .split('.')[0] ?? '',
    )
    .filter((name) => WORD.test(name));
}
