import { expect, it } from 'vitest';
import {
  RECALLED_CLOSE,
  RECALLED_OPEN,
  recalledMark,
  withoutRecalled,
} from '../../src/domain/precedent-marks.ts';

it('[LEARN-4] a recalled block is not stored, and the text around it stays', () => {
  const text = `before\n${RECALLED_OPEN}\n- ${recalledMark('TRACE-1')} old\n${RECALLED_CLOSE}\nafter`;
  expect(withoutRecalled(text)).toBe('before\n\nafter');
});

it('[LEARN-4] a recalled line that is quoted by itself is left out as well', () => {
  expect(withoutRecalled(`I read this:\n> - ${recalledMark('TRACE-9')} do not do it\nSo I did not.`)).toBe(
    'I read this:\nSo I did not.',
  );
});

it('an unclosed block extends to the end of the text', () => {
  expect(withoutRecalled(`mine ${RECALLED_OPEN} old ${RECALLED_OPEN} older`)).toBe('mine');
});

it('a text without anything recalled is given back as it is', () => {
  expect(withoutRecalled(' [precedents are fine] ')).toBe(' [precedents are fine] ');
});
