import { expect } from 'vitest';
import type { Fault } from '../../src/config/yaml/yaml-file.ts';

export const lineAndColumn = ({ line, column }: Fault) => `${line}:${column}`;
export const fileAndLine = ({ file, line, column }: Fault) => `${file}:${line}:${column}`;

/** Compares faults with `place code word…`. The words are names that the message or its hint has to hold; its wording is free. */
export function expectFaults(
  found: readonly Fault[],
  expected: readonly string[],
  placeOf: (fault: Fault) => string = lineAndColumn,
): void {
  const rows = expected.map((row) => row.split(' '));
  expect(found.map((fault) => [placeOf(fault), fault.code])).toEqual(rows.map((row) => row.slice(0, 2)));
  rows.forEach(([, , ...words], index) => {
    for (const word of words) expect(saidOf(found[index])).toContain(word);
  });
}

function saidOf(fault: Fault | undefined): string {
  return `${fault?.message} ${fault?.hint ?? ''}`;
}
