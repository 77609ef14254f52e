import type { PythonLine } from './lex-python.ts';
import { blockEnd } from './lex-python.ts';
import { isMark, isName, type Token } from './token.ts';

export interface PythonMarker {
  /** Empty if it is skipped only conditionally. */
  skipped: string;
  conditional: boolean;
  rows: number | null;
}

const NO_MARKER: PythonMarker = { skipped: '', conditional: false, rows: 1 };

/** How a decorator or a `pytestmark` affects running. */
export function readMarker({ tokens }: PythonLine): PythonMarker {
  const words = tokens.map((token) => token.text).join(' ');
  const names = tokens.filter((token) => token.type === 'name').map((token) => token.text);
  const has = (...some: string[]) => names.some((name) => some.includes(name));
  const always =
    /\b(?:skipif|skipIf) \( (?:True|1)\b/.test(words) || /\bskipUnless \( (?:False|0)\b/.test(words);
  if (always) return { ...NO_MARKER, skipped: 'its skip condition is always true' };
  if (has('skipif', 'skipIf', 'skipUnless')) return { ...NO_MARKER, conditional: true };
  if (has('skip')) return { ...NO_MARKER, skipped: 'it is marked skip' };
  if (has('xfail', 'expectedFailure')) return { ...NO_MARKER, skipped: 'it is marked as failing' };
  if (has('parametrize', 'given', 'parameterized', 'expand', 'ddt', 'data'))
    return { ...NO_MARKER, rows: has('parametrize') ? rowsOf(tokens) : null };
  return NO_MARKER;
}

/** The number of elements in the second argument of `parametrize`; null unless it is a list. */
function rowsOf(tokens: Token[]): number | null {
  const list = tokens.findIndex(
    (token, at) => isMark(token, ',') && (isMark(tokens[at + 1], '[') || isMark(tokens[at + 1], '(')),
  );
  if (list === -1) return null;
  let depth = 0;
  let count = 0;
  let filled = false;
  for (let at = list + 1; at < tokens.length; at += 1) {
    const token = tokens[at] as Token;
    if (isMark(token, '[') || isMark(token, '(') || isMark(token, '{')) {
      if (depth > 0) filled = true;
      depth += 1;
    } else if (isMark(token, ']') || isMark(token, ')') || isMark(token, '}')) {
      depth -= 1;
      if (depth === 0) return count + (filled ? 1 : 0);
    } else if (isMark(token, ',') && depth === 1) {
      count += 1;
      filled = false;
    } else if (isMark(token, '*') && depth === 1) return null;
    else filled = true;
  }
  return null;
}

export function combineMarkers(markers: PythonMarker[]): PythonMarker {
  return {
    skipped: markers.map((one) => one.skipped).find((one) => one !== '') ?? '',
    conditional: markers.some((one) => one.conditional),
    rows: markers.reduce<number | null>(
      (rows, one) => (rows === null || one.rows === null ? null : rows * one.rows),
      1,
    ),
  };
}

export function fileMarker(lines: PythonLine[]): PythonMarker {
  const found = lines.filter((line) => line.indent === 0).map(scopeMarker);
  return combineMarkers([NO_MARKER, ...found]);
}

export function classMarker(lines: PythonLine[], at: number): PythonMarker {
  const inner = lines[at + 1]?.indent;
  const end = Math.min(blockEnd(lines, at), at + 200);
  return combineMarkers([
    NO_MARKER,
    ...lines
      .slice(at + 1, end)
      .filter((line) => line.indent === inner)
      .map(scopeMarker),
  ]);
}

/** `pytestmark = …`, `__test__ = False`, and `pytest.skip(…, allow_module_level=True)` of a file or class. */
function scopeMarker(line: PythonLine): PythonMarker {
  const [first, second, third] = line.tokens;
  if (isName(first, 'pytestmark')) return { ...readMarker(line), rows: 1 };
  if (isName(first, '__test__') && isMark(second, '=') && isName(third, 'False'))
    return { ...NO_MARKER, skipped: 'it is marked as not a test' };
  if (isName(first, 'pytest') && isMark(second, '.') && isName(third, 'skip'))
    return { ...NO_MARKER, skipped: 'the file skips itself' };
  if (isName(first, 'raise') && line.tokens.some((token) => token.text === 'SkipTest'))
    return { ...NO_MARKER, skipped: 'the file skips itself' };
  return line.tokens.some((token) => token.text === 'importorskip')
    ? { ...NO_MARKER, conditional: true }
    : NO_MARKER;
}
