import fc from 'fast-check';
import { expect, it } from 'vitest';
import { openSqlite } from '../../../src/platform/open-sqlite.ts';
import { fieldsJson, ownValue } from '../../../src/store/sqlite/version-fields.ts';
import { ANY_CHARACTER } from '../../support/any-character.ts';

const VALUES = fc.oneof(
  fc.string({ unit: ANY_CHARACTER }),
  fc.string({ unit: 'grapheme' }),
  fc.constantFrom('\u0000', '\ud800', 'a"b\\c', '\\u0041', '\u2028', '5', 'null', ''),
  fc.integer(),
  fc.maxSafeInteger(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);

it('a field in its version’s row has the same value as in a column, or is not stored there', () => {
  const database = openSqlite(':memory:');
  const read = database.prepare<[string, unknown], { same: number; type: string }>(
    `WITH e(fields, value) AS (SELECT ?, ?)
     SELECT (${ownValue('e', 'mark')}) = value AS same, typeof(${ownValue('e', 'mark')}) AS type FROM e`,
  );
  let kept = 0;
  fc.assert(
    fc.property(VALUES, VALUES, (mark, other) => {
      const json = fieldsJson([
        { field: 'other', value: other },
        { field: 'mark', value: mark },
      ]);
      if (json === undefined) return;
      kept += 1;
      const found = read.get(json, mark);
      expect(found?.same).toBe(1);
      expect(found?.type).toBe(typeof mark === 'string' ? 'text' : 'integer');
    }),
    { numRuns: 500 },
  );
  expect(kept).toBeGreaterThan(100);
  database.close();
});

it('no fields are an empty object, unlike fields stored elsewhere', () => {
  expect(fieldsJson([])).toBe('{}');
});

it.each([
  [
    'several values',
    [
      { field: 'label', value: 'a' },
      { field: 'label', value: 'b' },
    ],
  ],
  ['a fraction', [{ field: 'share', value: 0.1 }]],
  ['a number beyond the whole ones', [{ field: 'size', value: 2 ** 60 }]],
  ['a control character', [{ field: 'label', value: 'a\u0000b' }]],
  ['half of a pair', [{ field: 'label', value: 'a\ud800' }]],
  ['a name that is no plain word', [{ field: "a'b", value: 'a' }]],
])('%s is stored in separate rows', (_what, fields) => {
  expect(fieldsJson(fields)).toBeUndefined();
});

it('a name with special characters never reaches SQL', () => {
  expect(ownValue('e', "x' OR 1=1 --")).toBe('NULL');
});
