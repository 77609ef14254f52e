import { escapePattern } from '../../domain/escape-pattern.ts';
import { HOLLOW } from './call-tokens.ts';
import { readFileScopes, type Scope } from './file-scopes.ts';
import type { TestFile } from './match-tests.ts';
import { isMark, type Token } from './token.ts';

const NAME = /^(?:assert|expect|check|verify|ensure|must|should)(?![a-z])\w*$/;
/** With any of these words, a function can fail or uses one that can. */
const MAY_FAIL =
  /^(?:(?:debug_)?assert\w*|expect(?!ed|ation)\w*|should\w*|must\w*|fail\w*|raises?|throws?|throw|panic|unwrap\w*|(?:Fatal|Error)f?|FailNow|check\w*|verify\w*|ensure\w*|await|yield|require|import)$/;
/** Functions of the language that do not fail on a wrong value. */
const HARMLESS = new Set(
  'String Number Boolean stringify is log warn str repr len print abs float int bool isinstance Helper Log Logf println format len isEqual'.split(
    ' ',
  ),
);

/**
 * The candidate's test files with other names for new functions that are called like an assertion and cannot fail, so that a
 * call of one does not count as an assertion.
 */
export function withoutHollowNames(
  base: readonly TestFile[],
  candidate: readonly TestFile[],
): readonly TestFile[] {
  const declared = new Set(base.flatMap((file) => functionsOf(file).flatMap(({ declares }) => declares)));
  const own = candidate.flatMap(functionsOf);
  const fresh = new Set(
    own.flatMap(({ declares }) => declares.filter((name) => NAME.test(name) && !declared.has(name))),
  );
  const hollow = [...fresh].filter((name) =>
    own.filter(({ declares }) => declares.includes(name)).every(({ tokens }) => isHollow(tokens, name)),
  );
  if (hollow.length === 0) return candidate;
  const pattern = new RegExp(`(?<![\\w$])(?:${hollow.map(escapePattern).join('|')})(?![\\w$])`, 'g');
  return candidate.map((file) => {
    const rows = file.text.split('\n');
    // Their own words, such as a parameter named `expected`, do not count either.
    for (const { declares, lines } of functionsOf(file))
      if (declares.some((name) => hollow.includes(name))) rows.fill('', lines[0] - 1, lines[1]);
    return { path: file.path, text: rows.join('\n').replace(pattern, HOLLOW) };
  });
}

function functionsOf({ path, text }: TestFile): Scope[] {
  return (readFileScopes(path, text)?.scopes ?? []).filter(({ declares, tokens }) => {
    const isFunction = tokens.some(
      ({ text: word }, at) =>
        /^(?:def|function|func|fn)$/.test(word) || (isMark(tokens[at], '=') && isMark(tokens[at + 1], '>')),
    );
    return declares.length > 0 && isFunction;
  });
}

/** Whether a function neither asserts nor calls anything that might. */
function isHollow(tokens: readonly Token[], own: string): boolean {
  // A decorator of the test before it may come first.
  const start = isMark(tokens[0], '@') ? tokens.findIndex(({ text }) => text === 'def') : 0;
  return tokens.every((token, at) => {
    if (at < start) return true;
    if (token.type !== 'name' || token.text === own) return true;
    if (MAY_FAIL.test(token.text)) return false;
    const isCalled =
      isMark(tokens[at + 1], '(') &&
      !/^(?:if|for|while|switch|return|func|function|in|and|or|not)$/.test(token.text);
    return !isCalled || HARMLESS.has(token.text);
  });
}
