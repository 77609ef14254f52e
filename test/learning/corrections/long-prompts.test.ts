import { expect, it } from 'vitest';
import { judgePrompt } from '../../../src/learning/corrections/notice-correction.ts';

const SIZE = 1_000_000;
const PIECES = [
  'a',
  ' ',
  '\n',
  '.',
  '-',
  "'",
  '’',
  '`',
  '```',
  '"',
  '“',
  '„',
  '?',
  '!',
  '…',
  '/',
  '\\',
  '_',
  '1',
  '1.',
  '- ',
  ', ',
  '\t',
  'a.',
  '.a',
  'a/',
  '/a',
  "a'",
  'aA',
  'a1',
  '" ',
  '`a',
  'no ',
  'not ',
  'you forgot ',
  'é',
  'e\u0301',
  'ﬃ',
  '不',
  '🙂',
  '\ud800',
  'at a (',
  '[00:00:00',
  'Error',
  'HTTP/',
  'FAIL',
  '?)',
  '? ',
  '\uE000',
  '\uE004',
  'if you ',
  'x\n',
  '> ',
  '$ ',
  '+++ ',
];

it.each(PIECES)('a million characters of %j take less than a second of processor time', (piece) => {
  const text = piece.repeat(Math.ceil(SIZE / piece.length));
  const before = {
    message: text,
    tools: [{ tool: text, target: text }],
    edited: [text],
    earlierPrompts: [text, text],
  };
  const start = process.cpuUsage();
  judgePrompt(text, before);
  judgePrompt(`You broke it. ${text} Undo that.`, before);
  const { user, system } = process.cpuUsage(start);
  expect((user + system) / 1e6).toBeLessThan(1);
});
