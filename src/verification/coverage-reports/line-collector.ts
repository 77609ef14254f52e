import type { FileCoverage } from '../../domain/coverage-report.ts';
import { quoted } from './quoted.ts';

/** No source file that a person reads is longer. */
export const MAX_LINE = 10_000_000;
/** Bounds memory: what a report makes us keep for each line is far more than it had to write. */
export const MAX_LINES = 3_000_000;

/** Gathers the hits of lines by file; a line that is told twice ran as often as the higher number says. */
export class LineCollector {
  readonly #files = new Map<string, Map<number, number>>();
  #count = 0;

  /** The file is known from now on, with or without executable lines. */
  open(path: string): void {
    this.#linesOf(path);
  }

  /** Returns why this cannot be so, if it cannot. */
  add(path: string, line: number, hits: number): string | undefined {
    if (!Number.isInteger(line) || line < 1 || line > MAX_LINE) {
      return `${quoted(path)} has a line number that cannot be: ${line}`;
    }
    if (Number.isNaN(hits) || hits < 0) return `${quoted(path)} line ${line} has ${hits} hits`;
    const lines = this.#linesOf(path);
    const known = lines.get(line);
    if (known === undefined && ++this.#count > MAX_LINES) return `it has more than ${MAX_LINES} lines`;
    lines.set(line, Math.min(Math.max(known ?? 0, hits), Number.MAX_SAFE_INTEGER));
    return undefined;
  }

  files(): FileCoverage[] {
    return [...this.#files].map(([path, lines]) => ({ path, ...sumLines(lines), lines }));
  }

  #linesOf(path: string): Map<number, number> {
    const lines = this.#files.get(path) ?? new Map<number, number>();
    this.#files.set(path, lines);
    return lines;
  }
}

export function sumLines(lines: ReadonlyMap<number, number>): { covered: number; total: number } {
  let covered = 0;
  for (const hits of lines.values()) if (hits > 0) covered++;
  return { covered, total: lines.size };
}
