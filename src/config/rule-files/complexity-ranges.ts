import { type ComplexityRange, MAX_COMPLEXITY, MIN_COMPLEXITY } from '../../domain/complexity.ts';

interface Ranged {
  task_type: string;
  complexity_range: ComplexityRange;
}

/** Ranges of one task type that share a complexity, which would make two profiles hold at once. */
export function findOverlaps(ranged: readonly Ranged[]): { index: number; message: string }[] {
  return ranged.flatMap((one, index) => {
    const [low, high] = one.complexity_range;
    const other = ranged
      .slice(0, index)
      .find(
        ({ task_type, complexity_range: [a, b] }) => task_type === one.task_type && a <= high && low <= b,
      );
    if (!other) return [];
    const message = `the range ${low}–${high} of ${one.task_type} overlaps ${other.complexity_range.join('–')}, which stands above it`;
    return [{ index, message }];
  });
}

/** Complexities that no range of a task type holds. */
export function findHoles(ranged: readonly Ranged[], taskType: string): string[] {
  const own = ranged.filter(({ task_type }) => task_type === taskType);
  const missing: number[] = [];
  for (let complexity = MIN_COMPLEXITY; complexity <= MAX_COMPLEXITY; complexity++) {
    if (!own.some(({ complexity_range: [low, high] }) => low <= complexity && complexity <= high))
      missing.push(complexity);
  }
  if (missing.length === 0) return [];
  return [
    `${taskType} has no profile for complexity ${missing.join(', ')}; the ranges must cover ${MIN_COMPLEXITY} to ${MAX_COMPLEXITY}`,
  ];
}
