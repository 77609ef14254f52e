import { sourceTokens } from '../test-files/source-tokens.ts';
import type { Token } from '../test-files/token.ts';

/** Longer strings do not name a test runner. */
const MAX_TEXT = 100;

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
  / (?:globalThis|global|window) (?:\?\. |\. |\[ ")(?:describe|it|jest|vi|mocha|suite)"? (?!= (?!=))/g,
  / (?:argv|argv0|execArgv|stack|main|npm_lifecycle_event)"? (?:\S+ ){0,12}"\S*\b(?:vitest|jest|mocha)\b\S*" /g,
  / "\S*\b(?:vitest|jest|mocha)\b\S*" (?:\S+ ){0,8}(?:argv|argv0|execArgv|stack) /g,
  / npm_lifecycle_event"? (?:\] )?[=!] = (?:= )?"test\S*" /g,
];
const PYTHON = [
  / "(?:PYTEST_CURRENT_TEST|PYTEST_VERSION|PYTEST_XDIST_WORKER)" /g,
  / "_?(?:pytest|unittest|nose)" (?:\S+ ){0,12}(?:modules|argv|stack) /g,
  // As `manage.py test` does.
  / "test" (?:not )?in (?:sys \. )?argv /g,
  / (?:modules|argv|stack) (?:\S+ ){0,12}"\S*\b_?(?:pytest|unittest|nose)\b\S*" /g,
];
const GO = [
  / testing \. Testing \( /g,
  / Lookup \( "test\.\S*" /g,
  / "-test\.\S*" /g,
  / Args \[ 0 \] (?:\S+ ){0,6}"\S*\.test\b\S*" /g,
];
const RUST = [
  / cfg ! \( (?:[^\s)\]]+ ){0,8}test /g,
  / # \[ cfg \( (?:[^\s)\]]+ ){0,10}not \( (?:[^\s)\]]+ ){0,6}test /g,
];

/** The lines in which code asks whether it is being tested. */
export function linesThatAskIfTested(path: string, text: string): number[] {
  const patterns = patternsFor(path);
  const tokens = patterns.length === 0 ? [] : (sourceTokens(path, text) ?? []);
  if (tokens.length === 0) return [];
  const { joined, starts } = join(tokens);
  const lines = new Set<number>();
  for (const pattern of patterns)
    for (const { index, 0: match } of joined.matchAll(pattern)) {
      const first = tokenAt(starts, index + 1);
      const last = tokenAt(starts, index + match.length - 2);
      for (const { line } of tokens.slice(first, last + 1)) lines.add(line);
    }
  return [...lines].sort((a, b) => a - b);
}

function patternsFor(path: string): readonly RegExp[] {
  if (/\.[cm]?[jt]sx?$/.test(path)) return JAVASCRIPT;
  if (path.endsWith('.py')) return PYTHON;
  if (path.endsWith('.go')) return GO;
  return path.endsWith('.rs') ? RUST : [];
}

function join(tokens: readonly Token[]): { joined: string; starts: number[] } {
  const starts: number[] = [];
  let length = 1;
  const words = tokens.map(({ type, text }) => {
    const short = text.length > MAX_TEXT ? 'long' : text.replace(/\s/g, '_');
    const word = type === 'string' ? `"${short}"` : short;
    starts.push(length);
    length += word.length + 1;
    return word;
  });
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
