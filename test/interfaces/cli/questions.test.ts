import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { Questions } from '../../../src/interfaces/cli/input/questions.ts';

function terminal() {
  const input = new PassThrough();
  const output = new PassThrough();
  return { input, output, questions: new Questions({ stdin: input, stderr: output }) };
}

describe('questions', () => {
  it('are asked on the output and answered by a line', async () => {
    const { input, output, questions } = terminal();
    input.write('yes\n');
    expect(await questions.ask('Sure? ')).toBe('yes');
    expect(output.read()?.toString()).toBe('Sure? ');
    questions.close();
  });

  it('lose nothing that was typed ahead', async () => {
    const { input, questions } = terminal();
    input.write('first\nsecond\n');
    expect([await questions.ask('1? '), await questions.ask('2? ')]).toEqual(['first', 'second']);
    questions.close();
  });

  it('have an empty answer at the end of the input', async () => {
    const { input, questions } = terminal();
    input.end();
    expect([await questions.ask('1? '), await questions.ask('2? ')]).toEqual(['', '']);
    questions.close();
  });

  it('that were never asked can be closed', () => {
    expect(() => terminal().questions.close()).not.toThrow();
  });
});
