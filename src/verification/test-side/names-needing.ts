import { type FileScopes, readFileScopes, type Scope } from '../test-files/file-scopes.ts';
import { findCase, type TestFile } from '../test-files/match-tests.ts';
import { isMark, type Token } from '../test-files/token.ts';

/** No handwritten helper reaches another through more. */
const MOST_ROUNDS = 50;
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
  return spread(scopes, names, mentionOf(names));
}

/**
 * Whether a test that ran needs one of these names: in its own code, in that of its suites or class, or through a declaration
 * of its file. The code of other suites and classes does not concern it.
 */
export function testsNeeding({ path, text }: TestFile, given: Iterable<string>): (name: string) => boolean {
  const file = readFileScopes(path, text);
  if (file === undefined) return () => true;
  const names = new Set(given);
  const modules = namespaces(file);
  const mention = (tokens: readonly Token[]) =>
    tokens.some((_, at) => mentionedWords(path, tokens, at, modules).some((word) => names.has(word)));
  const others = file.scopes.filter(({ suite }) => suite === undefined);
  if (spread(others, names, mention) === undefined) return () => true;
  const needing = file.scopes.filter(({ tokens }) => mention(tokens));
  return (name) => {
    const own = findOwn(name, file);
    if (own === undefined) return true;
    const [first, last] = own.test.lines;
    return mention(own.tokens) || needing.some(({ lines }) => lines[0] <= first && last <= lines[1]);
  };
}

/** Names by which tests reach helpers for which this holds, directly or through others. */
export function namesReaching(
  helpers: readonly TestFile[],
  holds: (tokens: readonly Token[]) => boolean,
): ReadonlySet<string> {
  const scopes = helpers.flatMap(({ path, text }) => readFileScopes(path, text)?.scopes ?? []);
  const open = scopes.filter(({ declares, imports }) => imports !== undefined || declares.length > 0);
  const names = new Set(
    open.flatMap(({ declares, imports, tokens }) => (imports === undefined && holds(tokens) ? declares : [])),
  );
  spread(open, names, mentionOf(names));
  return names;
}

/** Whether code contains one of these names, as they are then. */
function mentionOf(names: ReadonlySet<string>): (tokens: readonly Token[]) => boolean {
  return (tokens) => tokens.some(({ type, text }) => type === 'name' && names.has(text));
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
  for (let round = 0, before = -1; before !== names.size && round < MOST_ROUNDS; round += 1) {
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
