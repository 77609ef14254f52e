import { describe, expect, it } from 'vitest';
import { GuardKitError } from '../../../src/guardkit-error.ts';
import { describeError } from '../../../src/interfaces/cli/program/describe-error.ts';

const known = new GuardKitError({
  code: 'config.invalid',
  kind: 'input',
  message: 'a: wrong\nb: wrong',
  hint: 'Correct them.',
  cause: new Error('below'),
});

describe('what is told of an error', () => {
  it('is what happened, line by line, and what to do', () => {
    expect(describeError(known, false)).toEqual({
      exitCode: 2,
      text: '✗ a: wrong\n  b: wrong\n  Correct them.',
      json: { error: { code: 'config.invalid', message: 'a: wrong\nb: wrong', hint: 'Correct them.' } },
    });
  });

  it('is also where it comes from, with its causes, when asked', () => {
    const { text } = describeError(known, true);
    expect(text).toMatch(/GuardKitError: a: wrong[\s\S]*\n\s+at [\s\S]*\ncaused by Error: below/);
  });

  it.each([
    ['refused', 1],
    ['input', 2],
    ['outside', 3],
  ] as const)('ends the program, for the kind %s, with exit code %i [CLI-1]', (kind, exitCode) => {
    const error = new GuardKitError({ code: 'x', kind, message: 'm', hint: 'h' });
    expect(describeError(error, false).exitCode).toBe(exitCode);
  });

  it('that is a bug is called one, without its stack', () => {
    const { text, exitCode, json } = describeError(new TypeError('x is not a function'), false);
    expect(text).toContain('x is not a function');
    expect(text).not.toMatch(/\n\s+at /);
    expect([exitCode, json.error.code]).toEqual([3, 'unexpected']);
    expect(describeError('thrown text', false).text).toContain('thrown text');
  });

  it('from a database driver built for another Node says how to build it', () => {
    const error = Object.assign(new Error('was compiled against a different Node.js version'), {
      code: 'ERR_DLOPEN_FAILED',
    });
    expect(describeError(error, false)).toMatchObject({
      exitCode: 3,
      json: {
        error: { code: 'program.not-built', hint: expect.stringContaining('npm rebuild better-sqlite3') },
      },
    });
  });

  it('cannot control the terminal [SEC-4]', () => {
    expect(describeError(new Error('\u001b[2Jgone'), true).text).not.toContain('\u001b');
  });
});
