import type { FileCoverage } from '../../domain/entities/coverage-report.ts';
import { quoted } from './report-text.ts';

/** Longer than any real source file. */
export const MAX_LINE = 10_000_000;
/** Limits memory: each line costs us far more than the report needs to list it. */
export const MAX_LINES = 3_000_000;

/** Collects hits of lines by file; a line listed twice has the higher number. */
export class LineCollector {
  readonly #files = new Map<string, Map<number, number>>();
  #count = 0;

  /** Registers the file, with or without executable lines. */
  open(path: string): void {
    this.#linesOf(path);
  }

  /** Returns the reason if the value is impossible. */
  add(path: string, line: number, hits: number): string | undefined {
    const lines = this.#linesOf(path);
    const before = lines.size;
    const why = addLine(path, lines, line, hits);
    this.#count += lines.size - before;
    return why ?? this.#tooMany();
  }

  /** Adds lines that `addLine` collected. */
  addAll(path: string, added: Map<number, number>): string | undefined {
    const known = this.#files.get(path);
    if (!known) {
      this.#files.set(path, added);
      this.#count += added.size;
    }
    for (const [line, hits] of known ? added : []) {
      const why = this.add(path, line, hits);
      if (why) return why;
    }
    return this.#tooMany();
  }

  files(): FileCoverage[] {
    return [...this.#files].map(([path, lines]) => ({ path, ...sumLines(lines), lines }));
  }

  #tooMany(): string | undefined {
    return this.#count > MAX_LINES ? `it has more than ${MAX_LINES} lines` : undefined;
  }

  #linesOf(path: string): Map<number, number> {
    const lines = this.#files.get(path) ?? new Map<number, number>();
    this.#files.set(path, lines);
    return lines;
  }
}

/** Returns the reason if the value is impossible. */
export function addLine(
  path: string,
  lines: Map<number, number>,
  line: number,
  hits: number,
): string | undefined {
  if (!Number.isInteger(line) || line < 1 || line > MAX_LINE) {
    return `${quoted(path)} has an invalid line number: ${line}`;
  }
  if (Number.isNaN(hits) || hits < 0) return `${quoted(path)} line ${line} has ${hits} hits`;
  if (lines.size >= MAX_LINES) return `it has more than ${MAX_LINES} lines`;
  const known = lines.get(line);
  if (known === undefined || known < hits) lines.set(line, Math.min(hits, Number.MAX_SAFE_INTEGER));
  return undefined;
}

export function sumLines(lines: ReadonlyMap<number, number>): { covered: number; total: number } {
  let covered = 0;
  for (const hits of lines.values()) if (hits > 0) covered++;
  return { covered, total: lines.size };
}
