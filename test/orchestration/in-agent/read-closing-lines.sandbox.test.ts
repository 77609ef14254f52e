import { describe, expect, it } from 'vitest';
import { readClosingLines } from '../../../src/orchestration/in-agent/read-closing-lines.ts';

const coding = (text: string) => readClosingLines('coding', 'FEAT-1', text).claim;
const tester = (text: string) => readClosingLines('tester', 'FEAT-1', text).claim;

describe('an agent’s closing lines', () => {
  it.each([
    ['IMPLEMENTATION COMPLETE - Feature FEAT-1 ready for testing', 'done'],
    ['All is made.\n\n**IMPLEMENTATION COMPLETE - Feature FEAT-1 ready for testing**', 'done'],
    ['> IMPLEMENTATION COMPLETE', 'done'],
    ['IMPLEMENTATION BLOCKED - Feature FEAT-1', 'failed'],
    ['IMPLEMENTATION BLOCKED - Feature FEAT-1.', 'failed'],
    ['It is done.', 'none'],
    ['', 'none'],
  ])('of a coding agent: %j is %s', (text, claim) => {
    expect(coding(text)).toBe(claim);
  });

  it.each([
    ['PASSED: every criterion was tried', 'done'],
    ['**FAILED**: the page is empty', 'failed'],
    ['- FAILED', 'failed'],
    ['PASSEDEVERYTHING', 'none'],
    ['It has not PASSED', 'none'],
  ])('of a tester: %j is %s', (text, claim) => {
    expect(tester(text)).toBe(claim);
  });

  it('claim nothing for another feature', () => {
    expect(coding('IMPLEMENTATION COMPLETE - Feature FEAT-2 ready for testing')).toBe('none');
    expect(coding('IMPLEMENTATION BLOCKED - Feature FEAT-12')).toBe('none');
  });

  it('count as failed if they claim both', () => {
    expect(tester('FAILED: nothing works\nPASSED: all is well')).toBe('failed');
    expect(coding('IMPLEMENTATION COMPLETE\nIMPLEMENTATION BLOCKED')).toBe('failed');
  });

  it('are read in linear time and cut', () => {
    const flood = `${'*_`> -'.repeat(400_000)}\n${'IMPLEMENTATION '.repeat(100_000)}\nPASSED: yes`;
    const { claim, said } = readClosingLines('tester', 'FEAT-1', flood);
    expect(claim).toBe('done');
    expect(said.length).toBeLessThanOrEqual(4000);
  });

  it('lose invisible characters and text recalled from memory', () => {
    const { said } = readClosingLines(
      'tester',
      'FEAT-1',
      'PASSED: a\u202eb\u0007c\n<guardkit-precedents>\nold\n</guardkit-precedents>',
    );
    expect(said).toBe('PASSED: abc');
  });
});
