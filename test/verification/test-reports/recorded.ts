import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Parsed, TestReport } from '../../../src/domain/entities/test-report.ts';

/** The real output of a runner, with its project moved to /project. */
export function recorded(path: string): string {
  return readFileSync(fileURLToPath(new URL(`../recorded/${path}`, import.meta.url)), 'utf8');
}

export function reportOf(parsed: Parsed<TestReport>): TestReport {
  if (!parsed.ok) throw new Error(parsed.why);
  return parsed.value;
}

/** `status name` in alphabetical order, since runners use any order. */
export function outcomes({ tests }: TestReport): string[] {
  return tests.map(({ status, name }) => `${status} ${name}`).sort();
}

/** `code file` in alphabetical order; a fault with the runner's own message has no code. */
export function faultCodes({ faults }: TestReport): string[] {
  return faults.map(({ code, file }) => `${code ?? '-'}${file === undefined ? '' : ` ${file}`}`).sort();
}

export function faultsOf({ faults }: TestReport): string[] {
  return faults.map(({ file, message }) => `${file ?? '-'}: ${message.split('\n')[0]}`).sort();
}
