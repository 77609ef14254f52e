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
const ASSIGNED = /(?<![\w$.])([\w$]{1,80})(?:\.[\w$]{1,80}|\[[^\]\n]{1,80}\]){1,9}[ \t]{0,9}=(?![=>])/g;
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
const GO = /^func[ \t]+(?:init|TestMain)\(|^var[ \t]+_[ \t]*=|\bos\.(?:Setenv|Chdir)\(/;

/** Objects that all JavaScript files in a process share. */
const SHARED_BY_PROCESS = ['process', 'global', 'globalThis', 'window'];
/** Replaces a member of an object, until something restores it. */
const STUBBED =
  /\b(?:stub|replace\w{0,20}|spyOn|method|getter|setter|property|define|fake|override)\(\s{0,9}([\w$]{1,80})\s{0,9},\s{0,9}['"`]/g;
const LEFT_BEHIND = {
  // A hook outside every suite runs for all tests.
  js: /^(?:(?:before|after)(?:Each|All)?|setup|teardown|suite(?:Setup|Teardown))\(|['"](?:mockery|mock-require|quibble)['"]|\bmock\.module\(/,
  python:
    /\bscope[ \t]{0,9}=[ \t]{0,9}['"](?:session|package)|\b(?:enter_context|__enter__|MonkeyPatch|reload)\(|\bpytest_plugins\b/,
};
const STARTED = /^[ \t]*[\w.]{1,80}\.start\(\)/;

/** Runners that run each test file in a process or context of its own. */
const ISOLATING: ReadonlySet<string> = new Set(['jest', 'vitest', 'node:test', 'ava']);

export function isolatesFiles(runners: readonly string[]): boolean {
  return runners.length > 0 && runners.every((runner) => ISOLATING.has(runner));
}

/**
 * Test files that begin to change objects which they import, such as a class of the product: in runners with one process,
 * that affects all other tests. Unless the runner isolates files, also those that may leave something changed behind.
 */
export function reachingFiles(
  before: readonly TestFile[],
  after: readonly TestFile[],
  { isolated }: { isolated: boolean },
): string[] {
  const old = new Map(before.map(({ path, text }) => [path, text]));
  return after
    .filter(({ path, text }) => {
      const known = new Set((old.get(path) ?? '').split('\n').map((line) => line.trim()));
      const lines = text.split('\n').filter((line) => !known.has(line.trim()));
      return reaches(path, text, lines) || (!isolated && mayLeaveChanges(path, text, lines));
    })
    .map(({ path }) => path);
}

function reaches(path: string, text: string, lines: readonly string[]): boolean {
  if (path.endsWith('.go')) return lines.some((line) => GO.test(line));
  if (!path.endsWith('.py') && !JS.test(path)) return false;
  const shared = importedNames(path, text);
  return lines.some((line) => {
    const changed = [...line.matchAll(ASSIGNED), ...line.matchAll(SET)];
    return changed.some(([, name = '']) => shared.has(name)) || LOADED.test(line);
  });
}

function mayLeaveChanges(path: string, text: string, lines: readonly string[]): boolean {
  if (path.endsWith('.go')) return assignsUndeclared(text, lines);
  if (path.endsWith('.py')) {
    const patches = /\bpatch/.test(text);
    return lines.some((line) => LEFT_BEHIND.python.test(line) || (patches && STARTED.test(line)));
  }
  if (!JS.test(path)) return false;
  const imported = importedNames(path, text);
  return lines.some(
    (line) =>
      LEFT_BEHIND.js.test(line) ||
      [...line.matchAll(ASSIGNED)].some(([, name = '']) => SHARED_BY_PROCESS.includes(name)) ||
      [...line.matchAll(STUBBED)].some(([, name = '']) => imported.has(name)),
  );
}

const GO_DECLARED =
  /^([^\n:=]{1,300}):=|^[ \t]*(?:var|const)[ \t]{1,9}([\w, \t]{1,300})|\bfunc\b([^{\n]{0,500})/gm;
const GO_BLOCK = /^(?:var|const)[ \t]*\(\n([^)]{0,5000})/gm;
const GO_ASSIGNED =
  /^[ \t]+\*?([A-Za-z_]\w{0,80})(?:\.\w{1,80}|\[[^\]\n]{0,80}\]){0,9}(?:[ \t]{0,9},[^=\n]{0,200})?[ \t]{0,9}(?:[-+*/|&]?=(?!=)|\+\+|--)/;

/** Whether a line of Go assigns to a variable that the file does not declare: one of the package, or of another one. */
function assignsUndeclared(text: string, lines: readonly string[]): boolean {
  const declared = new Set(['_']);
  for (const [, ...parts] of [...text.matchAll(GO_DECLARED), ...text.matchAll(GO_BLOCK)])
    for (const word of parts.join(' ').split(/\W+/)) declared.add(word);
  return lines.some((line) => {
    const [, name] = GO_ASSIGNED.exec(line) ?? [];
    return name !== undefined && !declared.has(name);
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
