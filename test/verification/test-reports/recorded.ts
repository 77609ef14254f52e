import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Parsed, TestReport } from '../../../src/domain/entities/test-report.ts';

/** What a runner really wrote, its project put at /project. */
export function recorded(path: string): string {
  return readFileSync(fileURLToPath(new URL(`../recorded/${path}`, import.meta.url)), 'utf8');
}

export function reportOf(parsed: Parsed<TestReport>): TestReport {
  if (!parsed.ok) throw new Error(parsed.why);
  return parsed.value;
}

/** `status name`, in the order of the alphabet, since runners do files in any order. */
export function outcomes({ tests }: TestReport): string[] {
  return tests.map(({ status, name }) => `${status} ${name}`).sort();
}

/** `code file`, in the order of the alphabet; a fault in the runner's own words has no code. */
export function faultCodes({ faults }: TestReport): string[] {
  return faults.map(({ code, file }) => `${code ?? '-'}${file === undefined ? '' : ` ${file}`}`).sort();
}

export function faultsOf({ faults }: TestReport): string[] {
  return faults.map(({ file, message }) => `${file ?? '-'}: ${message.split('\n')[0]}`).sort();
}
