import type { TestResult } from '../../domain/entities/test-report.ts';
import { type FileScopes, readFileScopes, type Scope } from '../test-files/file-scopes.ts';
import { findCase, type TestFile } from '../test-files/match-tests.ts';
import { isMark, type Token } from '../test-files/token.ts';

/** Functions that act on all tests of their file, by name. */
const PYTHON_HOOK = /^(?:pytest_|setUpModule$|tearDownModule$|(?:setup|teardown)_(?:module|function)$)/;

/**
 * Removed names, and the declarations of helpers that need one, directly or through others. Undefined if a helper needs one in
 * a statement or hook, which acts on tests that do not name it.
 */
export function namesNeeding(
  helpers: readonly TestFile[],
  removed: Iterable<string>,
): ReadonlySet<string> | undefined {
  const scopes = helpers.flatMap(({ path, text }) => readFileScopes(path, text)?.scopes ?? []);
  const names = new Set(removed);
  const mention = (tokens: readonly Token[]) =>
    tokens.some(({ type, text }) => type === 'name' && names.has(text));
  return spread(scopes, names, mention);
}

/**
 * Whether a test that ran needs a removed name: in its own code, in that of its suites or class, or through a declaration of
 * its file. The code of other suites and classes does not concern it.
 */
export function testNeeds(
  { name }: Pick<TestResult, 'name'>,
  { path, text }: TestFile,
  removed: Iterable<string>,
): boolean {
  const file = readFileScopes(path, text);
  const own = file && findOwn(name, file);
  if (file === undefined || own === undefined) return true;
  const names = new Set(removed);
  const modules = namespaces(file);
  const mention = (tokens: readonly Token[]) =>
    tokens.some((_, at) => mentionedWords(path, tokens, at, modules).some((word) => names.has(word)));
  const [first, last] = own.test.lines;
  const around = file.scopes.filter(({ lines }) => lines[0] <= first && last <= lines[1]);
  const others = file.scopes.filter(({ suite }) => suite === undefined);
  if (spread(others, names, mention) === undefined) return true;
  return mention(own.tokens) || around.some(({ tokens }) => mention(tokens));
}

function findOwn(name: string, { cases }: FileScopes): FileScopes['cases'][number] | undefined {
  const found = findCase(
    name,
    cases.map(({ test }) => test),
  );
  return cases.find(({ test }) => test === found);
}

/** Adds what these scopes declare and import by such a name; undefined if one needs it without declaring anything. */
function spread(
  scopes: readonly Scope[],
  names: Set<string>,
  mention: (tokens: readonly Token[]) => boolean,
): ReadonlySet<string> | undefined {
  for (let before = -1; before !== names.size; ) {
    before = names.size;
    for (const { declares, tokens, imports } of scopes) {
      if (imports !== undefined) {
        for (const { local, name } of imports) if (names.has(name)) names.add(local);
        continue;
      }
      if (!mention(tokens)) continue;
      const isHook =
        tokens.some(({ text }) => text === 'autouse') || declares.some((name) => PYTHON_HOOK.test(name));
      if (isHook || declares.length === 0) return undefined;
      for (const name of declares) names.add(name);
    }
  }
  return names;
}

/** Local names of whole modules, whose properties are names of the module. */
function namespaces({ scopes }: FileScopes): ReadonlySet<string> {
  const imports = scopes.flatMap((scope) => scope.imports ?? []);
  return new Set(imports.filter(({ name }) => name === '*' || name === 'default').map(({ local }) => local));
}

/** The names that a token may mean. A property is none, unless its object is a module; a text is one if it is a path to a name. */
function mentionedWords(
  path: string,
  tokens: readonly Token[],
  at: number,
  modules: ReadonlySet<string>,
): string[] {
  const token = tokens[at];
  if (token === undefined) return [];
  const { type, text } = token;
  const isPython = path.endsWith('.py');
  if (type === 'string') {
    const isCode = isPython ? text.includes('{') || /^[\w.]+$/.test(text) : text.includes('${');
    return isCode ? text.split(/[^\w$]+/) : [];
  }
  if (type !== 'name') return [];
  const object = tokens[at - 2];
  if (!isMark(tokens[at - 1], '.') || object === undefined || isMark(object, '.')) return [text];
  if (isPython) return object.text === 'self' || object.text === 'cls' ? [] : [text];
  return modules.has(object.text) ? [text] : [];
}
