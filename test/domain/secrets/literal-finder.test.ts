import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { literalFinder } from '../../../src/domain/secrets/literal-finder.ts';

const LITERALS = ['ghp_', 'AKIA', ':/', '-us', 'Private-Lines: ', 'token', '$2'];

it('finds the same literals in a text alone and within a longer one', () => {
  const piece = fc.oneof(fc.constantFrom(...LITERALS), fc.string({ maxLength: 12 }));
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const text = pieces.join('');
      const long = `${text}${' '.repeat(1000)}`;
      expect([...literalFinder(LITERALS)(text)].sort()).toEqual([...literalFinder(LITERALS)(long)].sort());
    }),
  );
});

it('finds a literal in any case of letters, in short texts and in long ones', () => {
  for (const padding of [0, 1000]) {
    const find = literalFinder(LITERALS);
    expect([...find(`GHP_abc akia ${' '.repeat(padding)}`)].sort()).toEqual(['AKIA', 'ghp_']);
    expect([...find(' '.repeat(padding))]).toEqual([]);
  }
});

it('answers alike however many short texts it has been given before', () => {
  const find = literalFinder(LITERALS);
  for (let count = 0; count < 200; count += 1) {
    expect([...find(`GHP_abc akia ${count}`)].sort()).toEqual(['AKIA', 'ghp_']);
    expect([...find(`a line ${count}`)]).toEqual([]);
  }
});
