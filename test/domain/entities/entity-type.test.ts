import { describe, expect, it } from 'vitest';
import { assertEntityId, isEntityId } from '../../../src/domain/entities/entity-type.ts';

describe('an entity id', () => {
  it.each(['X', '1', 'TURN-FEAT-AUTH-TASK-1-T2', 'QG-feature-1-3', 'a.b_c:d@e/f#g+h', 'x'.repeat(256)])(
    'may be %s',
    (id) => {
      expect(isEntityId(id)).toBe(true);
      expect(() => assertEntityId(id)).not.toThrow();
    },
  );

  it.each([
    '',
    '-x',
    '.x',
    'a b',
    'a\nb',
    'a\u0000',
    'ä',
    "a'b",
    'a"b',
    'a;b',
    'a\\b',
    'a*',
    'x'.repeat(257),
  ])('may not be %j', (id) => {
    expect(() => assertEntityId(id)).toThrow(
      expect.objectContaining({ code: 'entity.illegal-id', kind: 'input' }),
    );
  });

  it('that is refused is shown in part only, if it is long', () => {
    expect(() => assertEntityId(' '.repeat(10_000))).toThrow(
      expect.objectContaining({ message: expect.stringMatching(/^.{1,120}$/) }),
    );
  });
});
