import { sourceTokens } from '../test-files/source-tokens.ts';
import type { Token } from '../test-files/token.ts';

/** Longer strings do not name a test runner. */
const MAX_TEXT = 100;
const MOST_ANSWERS = 20;

/*
 * Patterns for tokens with one space between and around them; strings are in double quotes. `(?:\S+ ){0,8}` is up to eight
 * tokens.
 */
const JAVASCRIPT = [
  / "?(?:VITEST|VITEST_WORKER_ID|VITEST_POOL_ID|JEST_WORKER_ID|NODE_TEST_CONTEXT)"? /g,
  /NODE_ENV"? (?:\] )?(?:[?|] [?|] "\w*" )?(?:\) )?[=!] = (?:= )?"tests?" /g,
  / "tests?" [=!] = (?:= )?(?:\S+ ){0,6}"?NODE_ENV/g,
  / NODE_ENV (?:\?\. |[?] )?(?:\. )?startsWith \( "test/g,
  / meta (?:\S+ ){1,3}env (?:\S+ ){1,3}"?MODE"? (?:\] )?[=!] = (?:= )?"tests?" /g,
  / "tests?" (?:\S+ ){0,8}\. includes \( (?:\S+ ){0,5}"?NODE_ENV/g,
  / switch \( (?:\S+ ){0,6}"?NODE_ENV"? (?:\S+ ){0,40}?case "tests?" /g,
  / typeof (?:describe|it|jest|vi|mocha|suite|expect|(?:before|after)(?:Each|All)) /g,
  / "(?:describe|it|jest|vi|mocha|suite|expect)" in (?:globalThis|global|window) /g,
  // Not an assignment: a test framework defines these.
  / (?:globalThis|global|window) (?:\?\. |\. |\[ ")(?:describe|it|jest|vi|mocha|suite|expect)"? (?!= (?!=))/g,
  / (?:argv|argv0|execArgv|stack|main|cache|npm_lifecycle_event)"? (?:\S+ ){0,12}"\S*\b(?:vitest|jest|mocha)\b\S*" /g,
  / "\S*\b(?:vitest|jest|mocha)\b\S*" (?:\S+ ){0,8}(?:argv|argv0|execArgv|stack) /g,
  // The name of a test file, or a folder of tests.
  / (?:argv|stack|cache)"? (?:\S+ ){0,12}"\S*(?:\.test\b|[/\\]tests?[/\\\]])\S*" /g,
  / "\S*(?:\.test\b|[/\\]\]?tests?\[?[/\\])\S*" (?:\S+ ){0,8}(?:argv|stack) /g,
  / npm_lifecycle_event"? (?:\] )?(?:[=!] = (?:= )?|(?:\?\. |[?] )?(?:\. )?startsWith \( )"test\S*" /g,
  / npm_lifecycle_script"? (?:\S+ ){0,8}"\S*test\S*" /g,
  / "\S*test\S*" (?:\S+ ){0,8}npm_lifecycle_script"? /g,
  / startsWith \( "(?:NODE_TEST|VITEST|JEST)\S*" /g,
  // Not the block that contains the tests.
  / meta \. vitest [?&|] /g,
  / "\/?\^(?:NODE_TEST|VITEST|JEST_)\S*" /g,
  // The module that started the process, or loaded this one.
  / (?:main|parent) (?:\?\. |[?] )?(?:\. )?filename (?:\?\. |[?] )?(?:\. )?(?:includes|endsWith|startsWith|match|indexOf|search) \( /g,
  // Functions of mocks.
  / "mock" in /g,
  / (?:_isMockFunction|isMockFunction|isSinonProxy) /g,
];
/** Elements that are chosen by the environment, and one of a table for tests. */
const CHOSEN =
  / \[ (?:\( )?(?:process \. env (?:\. NODE_ENV|\[ "NODE_ENV" \]) |import \. meta \. env \. MODE )/g;
const TABLE = / [{,] "?tests?"? : /;
/** Variables and properties that hold such an answer. */
const ANSWERS = [
  / (\w{1,60}) : (?:\( )?process \. env (?:\. NODE_ENV|\[ "NODE_ENV" \]) /g,
  / exports \. (\w{1,60}) = (?:\( )?process \. env (?:\. NODE_ENV|\[ "NODE_ENV" \]) /g,
  / (?:const|let|var) (\w{1,60}) (?:: \w+ )?= (?:[^\s;]+ ){0,8}?"?(?:NODE_ENV|npm_lifecycle_event)"? /g,
  / (?:const|let|var) (\w{1,60}) (?:: \w+ )?= import \. meta \. env \. MODE /g,
  / (?:NODE_ENV|npm_lifecycle_event) : (\w{1,60}) (?:[^\s;]+ ){0,12}\} = process \. env /g,
  / \{ (?:[^\s;]+ ){0,12}(MODE) (?:[^\s;]+ ){0,12}\} = import \. meta \. env /g,
];
const PYTHON = [
  / "(?:PYTEST_CURRENT_TEST|PYTEST_VERSION|PYTEST_XDIST_WORKER)" /g,
  / "_?(?:pytest|unittest|nose)" (?:\S+ ){0,12}(?:modules|argv|stack) /g,
  // As `manage.py test` does.
  / "test" (?:not )?in (?:sys \. )?argv /g,
  // A fixture may set these; the first is the example in pytest's documentation.
  / "?_called_from_test"? (?!=(?! =))/g,
  / (?:environ|getenv) (?:\. get )?[[(] "TESTING" /g,
  / startswith \( "PYTEST\S*" /g,
  / stack \( \) (?:\S+ ){0,30}"tests?_?" /g,
  / "tests?_" (?:\S+ ){0,30}stack \( \) /g,
  / (?:modules|argv|stack) (?:\S+ ){0,12}"\S*\b_?(?:pytest|unittest|nose)\b\S*" /g,
  / try : import (?:_?pytest|nose) /g,
  / (?:find_spec|import_module|__import__) \( "(?:_?pytest|nose)" /g,
  / __(?:module|package)__ (?:\S+ ){0,8}"(?:tests?\b|unittest)\S*" /g,
  / "(?:tests?|unittest)\b\S*" (?:\S+ ){0,10}__(?:module|package)__ /g,
  / "(?:assert_(?:not_)?called\w*|_mock_\w+|mock_calls)" /g,
  / isinstance \( (?:[^\s:]+ ){0,12}(?:Magic|Async|NonCallable)?Mock \) /g,
];
/** As `manage.py test` and `unittest discover`; a program with commands of its own has more than this one. */
const PYTHON_COMMAND = [
  / argv \[ (?:- )?1 \] = = "(?:test|discover)" /g,
  / "(?:test|discover)" = = (?:sys \. )?argv \[ (?:- )?1 \] /g,
  / argv \[ 1 : 2 \] = = \[ "(?:test|discover)" \] /g,
];
const OTHER_COMMAND =
  / argv \[ (?:- )?\d (?:: \d )?\] (?:= =|in) (?:[[(] )?"(?!(?:test|discover)")| "__main__" /;
const GO = [
  / testing \. Testing \( /g,
  / Lookup \( "test\.\S*" /g,
  / "-test\.\S*" /g,
  / Args \[ 0 \] (?:\S+ ){0,6}"\S*(?:\.test\b|go-build)\S*" /g,
  / HasSuffix \( \S+ (?:\S+ ){0,6}?, "\.test(?:\.exe)?" /g,
  / Executable \( \) (?:\S+ ){0,40}"\S*(?:go-build|\.test\b)\S*" /g,
];
const RUST = [
  / cfg ! \( (?:[^\s)\]]+ ){0,8}test /g,
  // A statement, not a module or another declaration.
  / # \[ cfg \( test \) \] (?:\{|return|let|if|match|while|for) /g,
  / current_exe \( \) (?:\S+ ){0,40}"\S*\bdeps\b\S*" /g,
  / # \[ cfg \( (?:[^\s)\]]+ ){0,10}not \( (?:[^\s)\]]+ ){0,6}test /g,
];

export interface TestQuestion {
  lines: number[];
  /** The same in any formatting. */
  words: string;
}

/** The places where code asks whether it is being tested. `known`: names of other modules that hold the answer. */
export function questionsIn(path: string, text: string, known: readonly string[] = []): TestQuestion[] {
  const patterns = patternsFor(path);
  const tokens = patterns.length === 0 ? [] : (sourceTokens(path, text) ?? []);
  if (tokens.length === 0) return [];
  const { joined, starts } = join(tokens);
  return [...patterns, ...furtherPatterns(patterns, joined, known)].flatMap((pattern) =>
    [...joined.matchAll(pattern)].map(({ index, 0: match }) => {
      const first = tokenAt(starts, index + 1);
      const last = tokenAt(starts, index + match.length - 2);
      return {
        lines: [...new Set(tokens.slice(first, last + 1).map(({ line }) => line))],
        words: match.trim(),
      };
    }),
  );
}

/** The variables and properties of a file that hold the name of the environment. */
export function answersIn(path: string, text: string): string[] {
  if (patternsFor(path) !== JAVASCRIPT) return [];
  return answerNames(join(sourceTokens(path, text) ?? []).joined);
}

function furtherPatterns(
  patterns: readonly RegExp[],
  joined: string,
  known: readonly string[],
): readonly RegExp[] {
  if (patterns === PYTHON) return OTHER_COMMAND.test(joined) ? [] : PYTHON_COMMAND;
  if (patterns !== JAVASCRIPT) return [];
  const names = [...new Set([...answerNames(joined), ...known])].slice(0, MOST_ANSWERS);
  const chosen = TABLE.test(joined)
    ? [CHOSEN, ...names.map((name) => new RegExp(` \\[ ${name} \\] `, 'g'))]
    : [];
  return [...names.flatMap(comparisonsOf), ...chosen];
}

function answerNames(joined: string): string[] {
  const names = ANSWERS.flatMap((pattern) => [...joined.matchAll(pattern)].map(([, name = '']) => name));
  return [...new Set(names)].filter((name) => name !== 'NODE_ENV');
}

function comparisonsOf(name: string): RegExp[] {
  return [
    new RegExp(
      ` ${name} (?:\\) )?(?:[=!] = (?:= )?|(?:\\?\\. |[?] )?(?:\\. )?startsWith \\( )"tests?" `,
      'g',
    ),
    new RegExp(` "tests?" [=!] = (?:= )?(?:\\w+ \\. )?${name} `, 'g'),
    new RegExp(` switch \\( (?:\\w+ \\. )?${name} (?:\\S+ ){0,40}?case "tests?" `, 'g'),
  ];
}

function patternsFor(path: string): readonly RegExp[] {
  if (/\.[cm]?[jt]sx?$/.test(path)) return JAVASCRIPT;
  if (path.endsWith('.py')) return PYTHON;
  if (path.endsWith('.go')) return GO;
  return path.endsWith('.rs') ? RUST : [];
}

/** Each token as one word, strings in double quotes. */
export function wordsOfTokens(tokens: readonly Token[]): string[] {
  return tokens.map(({ type, text }) => {
    const short = text.length > MAX_TEXT ? 'long' : text.replace(/\s/g, '_');
    return type === 'string' ? `"${short}"` : short;
  });
}

function join(tokens: readonly Token[]): { joined: string; starts: number[] } {
  const starts: number[] = [];
  let length = 1;
  const words = wordsOfTokens(tokens);
  for (const word of words) {
    starts.push(length);
    length += word.length + 1;
  }
  return { joined: ` ${words.join(' ')} `, starts };
}

/** The index of the token that contains a place. */
function tokenAt(starts: readonly number[], place: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0) <= place) low = middle;
    else high = middle - 1;
  }
  return low;
}
