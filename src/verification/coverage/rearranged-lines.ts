import { isTestFile } from '../../domain/is-test-file.ts';
import { isSource, languageOf } from './source-language.ts';

/** Languages in which an indentation or a line break is part of the program. */
const LAYOUT_MATTERS: ReadonlySet<string> = new Set(['python', 'yaml', 'yml', 'haml', 'pug', 'coffee']);
/** A comment that steers coverage works on other lines after a change, so it is neither formatting nor moved code. */
const STEERS_COVERAGE = /ignore|cover|pragma|istanbul|c8|v8/i;
/** Unclosed quotes make each of them search to the end of its line. */
const MAX_CHARACTERS = 20_000;
/** A string, a word, or one other character. */
const TOKEN =
  /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\[\s\S])*`|[\p{L}\p{N}_$]+|[^\s\p{L}\p{N}_$]/gu;

/**
 * The indexes of added lines that differ from removed ones by more than formatting: spacing, quotes, semicolons and
 * trailing commas. A new formatter's lines are not work that needs tests.
 */
export function linesBeyondFormatting(
  path: string,
  removed: readonly string[],
  added: readonly string[],
): number[] {
  const all = added.map((_, index) => index);
  const [before, after] = [removed.join('\n'), added.join('\n')];
  if (removed.length === 0 || before.length + after.length > MAX_CHARACTERS) return all;
  if (STEERS_COVERAGE.test(before) || STEERS_COVERAGE.test(after)) return all;
  const isFreeForm = !LAYOUT_MATTERS.has(languageOf(path) ?? '');
  if (isFreeForm && normalized(before) === normalized(after)) return [];
  const left = removed.map(normalizedLine);
  return all.filter((index) => {
    const found = left.indexOf(normalizedLine(added[index] ?? ''));
    // Taken in order, so that lines that changed places count as changed.
    if (found !== -1) left.splice(0, found + 1);
    return found === -1;
  });
}

/** Indentation is kept: a line that moved into another block is a change. */
function normalizedLine(line: string): string {
  return `${/^\s*/.exec(line)?.[0] ?? ''}${normalized(line)}`;
}

function normalized(text: string): string {
  const tokens = (text.match(TOKEN) ?? []).map(withoutQuotes).filter((token) => token !== ';');
  return tokens
    .filter((token, index) => token !== ',' || !/^[)\]}]?$/.test(tokens[index + 1] ?? ''))
    .join('\0');
}

function withoutQuotes(token: string): string {
  const isString = token.length > 1 && /^['"]/.test(token);
  return isString ? `"${token.slice(1, -1).replace(/\\(['"])/g, '$1')}"` : token;
}

/** Lines that a diff removes or adds in one place, without a gap. */
export interface LineRun {
  path: string;
  lines: readonly string[];
}

/** A shorter piece may be equal by chance. */
const WINDOW = 3;
const FEWEST_CHARACTERS = 20;

/**
 * For each run of added lines, the indexes of those that the diff removes elsewhere as they are, in the same order, from
 * a source file of the same language. Moved code is not new work that needs tests. A removed line counts once, so a copy
 * is new; indentation may differ.
 */
export function findMovedLines(removed: readonly LineRun[], added: readonly LineRun[]): Set<number>[] {
  const left = new Map<string, number>();
  for (const run of removed.filter(({ path }) => isSource(path) && !isTestFile(path)))
    for (const { key } of windowsOf(run)) left.set(key, (left.get(key) ?? 0) + 1);
  return added.map((run) => {
    const moved = new Set<number>();
    for (const { key, indexes } of left.size === 0 ? [] : windowsOf(run)) {
      const count = left.get(key) ?? 0;
      if (count === 0) continue;
      left.set(key, count - 1);
      for (const index of indexes) moved.add(index);
    }
    return moved;
  });
}

function windowsOf({ path, lines }: LineRun): { key: string; indexes: number[] }[] {
  const language = languageOf(path) ?? '';
  const texts = lines.map((line) => line.trim());
  const filled = texts.flatMap((text, index) => (text === '' ? [] : [index]));
  return filled.slice(WINDOW - 1).flatMap((_, at) => {
    const indexes = filled.slice(at, at + WINDOW);
    const text = indexes.map((index) => texts[index]).join('\n');
    if (text.replace(/[^\p{L}\p{N}]/gu, '').length < FEWEST_CHARACTERS || STEERS_COVERAGE.test(text))
      return [];
    return [{ key: `${language}\n${text}`, indexes }];
  });
}
