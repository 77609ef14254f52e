import { codePartsOf } from '../test-files/declarations/code-parts.ts';
import { sourceTokens } from '../test-files/source-tokens.ts';
import { type TestQuestion, wordsOfTokens } from './asks-if-tested.ts';

/** jest, vitest and chai ask such an object whether it equals a value. */
const MATCHER = / (?:asymmetricMatch|toAsymmetricMatcher) \(| "jest\.asymmetricMatcher" /g;
const PYTHON_EQUALITY = / def __eq__ \( \w+ , (\w+) [^)]{0,80}\) (?:- > [^:]{1,40})?: /;
const GO_EQUALITY = / func (?:\S+ ){1,10}Equals? \( (?:(_|\w+) )?[^)]{1,80}\) bool \{ /;
const RUST_EQUALITY = / fn eq \( & self , (?:mut )?(\w+) : [^)]{1,80}\) - > bool \{ /;

/** Methods that say a value of the product equals others without looking at them: tests that compare it cannot fail. */
export function equalToEverything(path: string, text: string): TestQuestion[] {
  if (/\.[cm]?[jt]sx?$/.test(path)) return matchersIn(path, text);
  const equality = path.endsWith('.py')
    ? PYTHON_EQUALITY
    : path.endsWith('.go')
      ? GO_EQUALITY
      : path.endsWith('.rs')
        ? RUST_EQUALITY
        : undefined;
  if (equality === undefined) return [];
  return codePartsOf(path, text).flatMap(({ name, lines: [first, last], text: code }) => {
    if (!/\.(?:__eq__|Equals?)$|^PartialEq for /.test(name)) return [];
    const words = wordsOf(path, code);
    const found = equality.exec(words);
    if (found === null) return [];
    const body = words.slice(found.index + found[0].length - 1);
    if (!isAlwaysTrue(body, found[1] ?? '_')) return [];
    return [{ lines: rangeOf(first, last), words: words.trim() }];
  });
}

function isAlwaysTrue(body: string, other: string): boolean {
  return / [Tt]rue /.test(body) && !body.includes(` ${other} `);
}

function matchersIn(path: string, text: string): TestQuestion[] {
  const tokens = sourceTokens(path, text) ?? [];
  const words = wordsOfTokens(tokens);
  return tokens.flatMap(({ line }, at) => {
    const word = ` ${words[at]} ${words[at + 1] ?? ''} `;
    return word.match(MATCHER) === null ? [] : [{ lines: [line], words: words[at] ?? '' }];
  });
}

function wordsOf(path: string, text: string): string {
  return ` ${wordsOfTokens(sourceTokens(path, text) ?? []).join(' ')} `;
}

function rangeOf(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, at) => first + at);
}
