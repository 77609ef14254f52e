import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nearestWord } from '../../src/domain/nearest-word.ts';

const KNOWN = ['turn_states', 'guards', 'traces', 'features', 'patterns', 'failure_patterns'];

describe('the nearest word', () => {
  it.each([
    ['turn_state', 'turn_states'],
    ['turnstates', 'turn_states'],
    ['gaurds', 'guards'],
    ['TRACES', 'traces'],
    ['failure_paterns', 'failure_patterns'],
    ['pattern', 'patterns'],
  ])('to %s is %s', (word, meant) => {
    expect(nearestWord(word, KNOWN)).toBe(meant);
  });

  it.each([
    ['F1', 'F001'],
    ['f01', 'F001'],
    ['FEAT-12', 'FEAT-012'],
    ['feat12', 'FEAT-012'],
    ['F010', 'F010'],
  ])('to the id %s is %s, however many zeros are written', (id, meant) => {
    expect(nearestWord(id, ['F100', 'F011', 'F010', 'F002', 'F001', 'FEAT-120', 'FEAT-012'])).toBe(meant);
  });

  it.each(['xyzzy', '', 'x', 'something_else_entirely'])('to %j is none', (word) => {
    expect(nearestWord(word, KNOWN)).toBeUndefined();
  });

  it('to a known word is that word, and to any text one of those known or none', () => {
    for (const word of KNOWN) expect(nearestWord(word, KNOWN)).toBe(word);
    fc.assert(
      fc.property(fc.string({ maxLength: 300 }), (text) => {
        expect([undefined, ...KNOWN]).toContain(nearestWord(text, KNOWN));
      }),
    );
  });

  it('is none where nothing is known', () => {
    expect(nearestWord('guards', [])).toBeUndefined();
  });
});
