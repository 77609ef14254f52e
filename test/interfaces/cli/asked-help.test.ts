import { afterAll, describe, expect, it } from 'vitest';
import { describeCommands } from '../../../src/interfaces/cli/program/describe-commands.ts';
import { Sandbox } from '../../support/cli.ts';

const sandbox = new Sandbox();
afterAll(() => sandbox.cleanup());

describe('help', () => {
  it.each([[['help', 'guard', 'allow']], [['guard', 'help', 'allow']], [['guard', 'allow', '--help']]])(
    '%j is about that one command',
    async (args) => {
      const { stdout, stderr, exitCode } = await sandbox.guardkit(args);
      expect(stdout).toMatch(/^Usage: guardkit guard allow /);
      expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
    },
  );

  it.each([
    ['a command', ['help', 'docter'], "'docter' doctor"],
    ['one of a group', ['help', 'guard', 'alow'], "'alow' allow"],
    ['one of a group, the other way round', ['guard', 'help', 'nope'], "'nope'"],
  ])('for a slip in %s refuses the word, and shows nothing else', async (_, args, named) => {
    const { stdout, stderr, exitCode } = await sandbox.guardkit(args);
    for (const name of named.split(' ')) expect(stderr).toContain(name);
    expect(stderr.trimEnd().split('\n')).toHaveLength(2);
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 2 });
  });

  it.each([40, 80, 160])('of all commands fits a terminal of %i columns', (columns) => {
    const lines = describeCommands(columns).split('\n');
    // A name is not broken.
    const tooWide = lines.filter((line) => line.length > columns && !/^ {2}\S/.test(line));
    expect(tooWide).toEqual([]);
  });
});
