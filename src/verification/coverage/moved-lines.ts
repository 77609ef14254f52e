import { isTestFile } from '../../domain/is-test-file.ts';
import { STEERS_COVERAGE } from './formatting-only.ts';
import { isSource, languageOf } from './source-language.ts';

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
