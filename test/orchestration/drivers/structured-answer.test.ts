import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { coachVerdictSchema } from '../../../src/domain/entities/agent-answers.ts';
import { promptWithSchema, readAnswer } from '../../../src/orchestration/drivers/structured-answer.ts';

const SCHEMA = z.toJSONSchema(coachVerdictSchema, { io: 'output' });

describe('the answer in an agent’s last message', () => {
  it('is the last object that fits its schema; a field with a default may be missing', () => {
    const answer = { decision: 'approved', criteria: { 'AC-001': { status: 'verified' } } };
    expect(readAnswer(`First {"a":1}, then:\n${JSON.stringify(answer)}\nDone.`, SCHEMA)).toEqual({
      ok: true,
      answer,
    });
  });

  it.each([
    ['I am done.', /JSON/],
    ['{"decision":"perhaps"}', /decision/],
    ['{"decision":"approved","criteria":{"AC-001":{"status":"fine"}}}', /AC-001/],
    ['{"feedback":"x"}', /decision/],
  ])('is not %s', (text, why) => {
    expect(readAnswer(text, SCHEMA)).toEqual({ ok: false, why: expect.stringMatching(why) });
  });

  it('has its schema in the prompt, unless it is plain text', () => {
    expect(promptWithSchema('Do it', SCHEMA)).toContain('"arch_score"');
    expect(promptWithSchema('Do it', undefined)).toBe('Do it');
  });
});
