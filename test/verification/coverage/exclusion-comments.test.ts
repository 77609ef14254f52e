import { expect, it } from 'vitest';
import { findExclusionComments } from '../../../src/verification/coverage/exclusion-comments.ts';

const nobody = () => false;

function find(text: string, changed: number[], isAccepted: (path: string) => boolean = nobody) {
  return findExclusionComments(new Map([['a.js', text]]), new Map([['a.js', new Set(changed)]]), isAccepted);
}

it.each([
  '/* istanbul ignore next */',
  '/* istanbul    ignore else: never */',
  '// c8 ignore next 3',
  '/* v8 ignore start */',
  '/* node:coverage disable */',
  'x = 1  # pragma: no cover',
  'x = 1  # PRAGMA: NO BRANCH',
  '// LCOV_EXCL_START',
  '/* istanbul',
])('%s excludes nothing in the measured text', (line) => {
  const { places, texts } = find(`one\n${line}\ntwo\n`, [2]);
  expect(places).toEqual(['a.js:2']);
  const measured = texts.get('a.js') ?? '';
  expect(measured.split('\n')).toHaveLength(4);
  expect(find(measured, [2]).places).toEqual([]);
});

it('leaves comments of the base alone', () => {
  const text = '/* c8 ignore start */\none\n/* c8 ignore next */\ntwo\n';
  const { places, texts } = find(text, [3]);
  expect(places).toEqual(['a.js:3']);
  expect(texts.get('a.js')).toContain('/* c8 ignore start */');
});

it('leaves files alone that a person accepted, and code without such comments', () => {
  expect(find('/* c8 ignore next */\n', [1], () => true)).toEqual({ places: [], texts: new Map() });
  expect(find('ignore(istanbul)\n', [1])).toEqual({ places: [], texts: new Map() });
});
