import { isTestSide } from '../test-side/find-test-side.ts';
import { namesReaching, testsNeeding } from '../test-side/names-needing.ts';
import { placesOf } from '../test-side/removed-imports.ts';
import { readFileScopes } from './file-scopes.ts';
import type { TestFile } from './match-tests.ts';
import type { TestCase } from './test-case.ts';
import { isMark, type Token } from './token.ts';

/** Words with which helpers assert, in all languages. */
const ASSERTING =
  /^(?:(?:debug_)?assert\w*|expect\w*|should|must|fail\w*|raises?|throws?|panic|unwrap\w*|(?:Fatal|Error)f?|FailNow|check\w*|verify\w*|ensure\w*)$/;
/** In a test itself: assertions as methods of what is tested, and errors. */
const DIRECT = /\.(?:expect|should|must)\b|\b(?:throw|raise)\b/;
const DIRECT_IN_RUST = /\.(?:unwrap|expect)(?:_err)?\(|\?\s*(?:;|\.)/;

/**
 * Finds a file's tests that can fail although they contain no known assertion: by themselves, or through helpers that assert.
 */
export function testsThatMayFail(
  file: TestFile,
  helpers: readonly TestFile[],
): (test: Pick<TestCase, 'name' | 'lines'>) => boolean {
  const rows = file.text.split('\n');
  const names = new Set([
    ...namesReaching(isTestSide(file.path) ? [file, ...helpers] : helpers, asserts),
    ...assertingModules(file, helpers),
  ]);
  const uses = names.size === 0 ? () => false : testsNeeding(file, names);
  return ({ name, lines: [first, last] }) => {
    const own = rows.slice(first - 1, last).join('\n');
    return DIRECT.test(own) || (file.path.endsWith('.rs') && DIRECT_IN_RUST.test(own)) || uses(name);
  };
}

/** Local names of helpers that are a function themselves: `module.exports = (a, b) => assert.equal(a, b)`. */
function assertingModules({ path, text }: TestFile, helpers: readonly TestFile[]): string[] {
  const functions = helpers.filter((helper) =>
    readFileScopes(helper.path, helper.text)?.scopes.some(
      ({ declares, imports, tokens }) => declares.length === 0 && imports === undefined && asserts(tokens),
    ),
  );
  const places = new Set(functions.map((helper) => helper.path));
  const imports = readFileScopes(path, text)?.scopes.flatMap((scope) => scope.imports ?? []) ?? [];
  return imports
    .filter(
      ({ name, module }) =>
        (name === '*' || name === 'default') && placesOf(path, module).some((place) => places.has(place)),
    )
    .map(({ local }) => local);
}

/** The module itself may be loaded where it is used: `require('assert').equal(a, b)`. */
const ASSERT_MODULE = /^(?:node:)?assert(?:\/strict)?$/;

function asserts(tokens: readonly Token[]): boolean {
  return tokens.some(({ type, text }, at) => {
    if (type === 'string') return ASSERT_MODULE.test(text);
    return type === 'name' && (ASSERTING.test(text) || (text === 'require' && isMark(tokens[at + 1], '.')));
  });
}
