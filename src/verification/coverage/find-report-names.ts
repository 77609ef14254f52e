import { basename } from 'node:path';
import { languageOf } from './source-language.ts';

const CODE = new Set(['javascript', 'python', 'jvm', 'c', 'go', 'rs', 'rb', 'php', 'sh', 'cs']);

/**
 * Lines among the changed ones of a program that name the coverage report. Tests run where the report is written, so one
 * that names it can put its own in the place of the tool's.
 */
export function findReportNames(
  path: string,
  text: string,
  changed: ReadonlySet<number>,
  reports: readonly string[],
): number[] {
  if (!CODE.has(languageOf(path) ?? '')) return [];
  const names = reports.map((report) => basename(report)).filter((name) => text.includes(name));
  if (names.length === 0) return [];
  const lines = text.split('\n');
  return [...changed]
    .filter((number) => names.some((name) => lines[number - 1]?.includes(name)))
    .sort((a, b) => a - b);
}
