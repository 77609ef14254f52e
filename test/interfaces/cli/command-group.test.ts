import { Writable } from 'node:stream';
import { expect, it } from 'vitest';
import { buildProgram } from '../../../src/interfaces/cli/program/build-program.ts';
import type { CliCommand } from '../../../src/interfaces/cli/program/cli-command.ts';
import { commandGroup } from '../../../src/interfaces/cli/program/cli-command.ts';
import { COMMAND_GROUPS, namedCommand, TOP_COMMANDS } from '../../../src/interfaces/cli/program/commands.ts';

const GROUPS = [TOP_COMMANDS, ...COMMAND_GROUPS];

it('every command is found by the name that it has', () => {
  for (const group of GROUPS)
    for (const command of group.commands) expect(group.find(command.name)?.name).toBe(command.name);
});

it('a command line finds its command, and no word that every object has', () => {
  expect(namedCommand(['feature', 'next']).command?.name).toBe('next');
  expect(namedCommand(['init', 'next'])).toMatchObject({ command: { name: 'init' } });
  expect(namedCommand(['feature', 'constructor']).command).toBeUndefined();
  expect(namedCommand(['__proto__']).command).toBeUndefined();
});

it('a command is made ready only when it is asked for', () => {
  let made = 0;
  const group = commandGroup('some', 'some commands', {
    one: () => {
      made += 1;
      return { name: 'one' } as CliCommand;
    },
  });
  expect(group.find('two')).toBeUndefined();
  expect(made).toBe(0);
  expect(group.find('one')?.name).toBe('one');
  expect(made).toBe(1);
});

it.each([
  ['feature', 'next', '--jsno'],
  ['feature', 'next', 'too', 'much'],
  ['feature', 'show'],
  ['config', 'explain'],
  ['verify', '--nothing'],
])('what is wrong with %s %s is said alike by a program of that command alone', async (...args) => {
  expect(await refusal(args, args)).toEqual(await refusal(args, []));
});

async function refusal(args: string[], named: string[]): Promise<unknown> {
  const output = new Writable({ write: (_chunk, _encoding, done) => done() });
  const program = buildProgram(output, () => Promise.reject(new Error('it ran')), named);
  return program.parseAsync(args, { from: 'user' }).then(
    () => 'it was taken',
    ({ code, message }) => ({ code, message }),
  );
}
