import { expect, it } from 'vitest';
import { readBunLock } from '../../../src/verification/harness/installed-packages/read-bun-lock.ts';
import { readPnpmLock } from '../../../src/verification/harness/installed-packages/read-pnpm-lock.ts';
import { readYarnLock } from '../../../src/verification/harness/installed-packages/read-yarn-lock.ts';
import { parseJsonWithComments } from '../../../src/verification/harness/json-with-comments.ts';

const READERS = { parseJsonWithComments, readYarnLock, readPnpmLock, readBunLock };
/** Each made some expression look for an end again and again: hours instead of a second. */
const TEXTS = [
  '"',
  '\\"',
  '/*',
  '/*/',
  ',',
  ', ',
  'a: ',
  ':',
  '"\\\n',
  '["',
  '{',
  '@a/',
  'x@npm:',
  '::__',
  '//\n',
].map((part) => ['"', '/*', '  resolution: "a@npm:1'].map((start) => start + part.repeat(20_000)));

it.each(Object.entries(READERS))('%s ends with any text', (_, read) => {
  for (const text of TEXTS.flat()) expect(() => read(text)).not.toThrow();
});

it('comments and commas at the end are no part of JSON', () => {
  expect(parseJsonWithComments('{ // c\n "a": "//x", /* b\n */ "c": [1, "2,",], }')).toEqual({
    a: '//x',
    c: [1, '2,'],
  });
});
