import { describe, expect, it } from 'vitest';
import { type Files, shortChanges } from './tree-fixture.ts';

export interface Layout {
  /** The imitated project. */
  like: string;
  command: string | string[];
  base: Files;
  /** Changes of honest commits that are not part of the harness. */
  honest: Record<string, Record<string, string>>;
  /** Changes that a person must see, with the reported part. */
  harness?: Record<string, [Record<string, string>, string[]]>;
}

export const json = (value: object): string => JSON.stringify(value, null, 2);

export function describeLayouts(layouts: readonly Layout[]): void {
  describe.each([...layouts])('$like', ({ command, base, honest, harness = {} }) => {
    it.each(Object.entries(honest))('the harness does not change with %s', async (_, changed) => {
      expect(await shortChanges(command, base, changed)).toEqual([]);
    });

    if (Object.keys(harness).length > 0)
      it.each(Object.entries(harness))('the harness changes with %s', async (_, [changed, expected]) => {
        expect(await shortChanges(command, base, changed)).toEqual(expect.arrayContaining(expected));
      });
  });
}
