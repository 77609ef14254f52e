import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { describeIssues } from '../../../src/domain/json/describe-issues.ts';

const turn = z.strictObject({
  id: z.string(),
  mode: z.enum(['fresh', 'resumed']),
  at: z.object({ n: z.number() }),
});

function faultsOf(value: unknown): string {
  const { error } = turn.safeParse(value);
  return error ? describeIssues(error) : '';
}

describe('the faults of a value', () => {
  it('list missing, invalid and unknown fields, one per line with the path', () => {
    expect(faultsOf({ at: { n: '1' }, more: 1 }).split('\n')).toEqual([
      expect.stringMatching(/^id: /),
      expect.stringMatching(/^mode: .*fresh.*resumed/),
      expect.stringMatching(/^at\.n: .*number.*string/),
      expect.stringMatching(/^more: /),
    ]);
  });

  it('give limits as numbers, without the notation of the schema library', () => {
    const limited = z.object({
      port: z.number().max(9),
      name: z.string().min(1),
      ids: z.array(z.any()).max(3),
    });
    const { error } = limited.safeParse({ port: 10, name: '', ids: [1, 2, 3, 4] });
    const lines = error ? describeIssues(error).split('\n') : [];
    expect(lines).toEqual([
      expect.stringMatching(/^port: .*\b9$/),
      expect.stringMatching(/^name: /),
      expect.stringMatching(/^ids: .*\b3\b/),
    ]);
    for (const line of lines) expect(line).not.toMatch(/[<>=]|Too/);
  });

  it('name types in ordinary words', () => {
    expect(faultsOf({ id: ['a'], mode: 'fresh', at: { n: true } })).not.toMatch(/array|boolean|received/);
  });

  it('are counted if there are too many', () => {
    const many = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`key${index}`, 1]));
    expect(faultsOf({ id: 'a', mode: 'fresh', at: { n: 1 }, ...many })).toMatch(/\n[^:\n]*\b12\b[^:\n]*$/);
  });
});
