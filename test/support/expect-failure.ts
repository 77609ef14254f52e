import { expect } from 'vitest';
import type { CliFailure } from './cli.ts';

/**
 * Compares a failure with `code word…`. The words are names that its message, hint or faults (`feature.field`) have to
 * hold; the wording is free.
 */
export function expectFailure({ code, message, hint, faults = [] }: CliFailure, expected: string): void {
  const [wanted, ...words] = expected.split(' ');
  expect(code).toBe(wanted);
  const said = [message, hint, ...faults.map(({ feature, field }) => `${feature}.${field}`)].join('\n');
  for (const word of words) expect(said).toContain(word);
}
