import { expect, it } from 'vitest';
import { allOptions } from '../../../src/interfaces/cli/program/build-program.ts';
import { COMMAND_GROUPS, TOP_COMMANDS } from '../../../src/interfaces/cli/program/commands.ts';
import { renderReference } from './render-reference.ts';

const COMMANDS = [...TOP_COMMANDS.commands, ...COMMAND_GROUPS.flatMap(({ commands }) => commands)];

it('the reference page is what the declarations say', async () => {
  await expect(renderReference()).toMatchFileSnapshot('../../../docs/reference/cli.md');
});

it('every command, argument and option says what it is for', () => {
  for (const command of COMMANDS) {
    const texts = [command.summary, ...command.arguments.map(([, text]) => text)];
    for (const text of [...texts, ...allOptions(command).map(([, description]) => description)]) {
      expect(text).toMatch(/^\S.{3,}[^.\s]$/);
    }
  }
});

it('every command that changes something can be asked what it would do', () => {
  const changing = COMMANDS.filter(({ changes }) => changes).map(({ name }) => name);
  expect(changing).toEqual(expect.arrayContaining(['seed', 'add', 'import', 'clear']));
  for (const command of COMMANDS.filter(({ changes }) => changes)) {
    expect(allOptions(command).map(([notation]) => notation)).toContain('--dry-run');
  }
});
