import { afterAll, describe, expect, it } from 'vitest';
import { COMMAND_GROUPS, TOP_COMMANDS } from '../../../src/interfaces/cli/program/commands.ts';
import { FIRST_COMMANDS } from '../../../src/interfaces/cli/program/describe-commands.ts';
import { PROGRAM, Sandbox } from '../../support/cli.ts';
import { expectFailure } from '../../support/expect-failure.ts';

const sandbox = new Sandbox();
afterAll(() => sandbox.cleanup());

describe.concurrent('the command line', () => {
  it('runs from any folder by the name of its file', async () => {
    const { stdout, exitCode } = await sandbox.shell(`${PROGRAM} --version`);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  it.each([[[]], [['--help']], [['help']], [['-h']]])('%j shows what there is', async (args) => {
    const { stdout, stderr, exitCode } = await sandbox.guardkit(args);
    expect(stdout).toMatch(/^Usage: guardkit /);
    const listed = [...stdout.matchAll(/^ {2}([a-z][a-z-]*) /gm)].map(([, name]) => name);
    const known = TOP_COMMANDS.commands.map(({ name }) => name);
    expect(listed).toEqual(FIRST_COMMANDS.filter((name) => known.includes(name)));
    expect(listed).toContain('feature-build');
    expect(stdout).toContain('guardkit help --all');
    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
  });

  it.each([[['help', '--all']], [['--help', '--all']]])('%j shows every command', async (args) => {
    const { stdout, stderr, exitCode } = await sandbox.guardkit(args);
    for (const { name } of TOP_COMMANDS.commands) expect(stdout).toMatch(new RegExp(`^  ${name}( |$)`, 'm'));
    for (const { name, commands } of COMMAND_GROUPS) {
      expect(stdout).toContain(`\n${name}: `);
      for (const command of commands) expect(stdout).toContain(`  ${name} ${command.name}`);
    }
    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
  });

  it('wrong use of the options together names only options that the command has', async () => {
    const failed = await sandbox.failure(['attest']);
    expectFailure(failed, 'usage --check --sign --public-key');
    expect(failed.message).not.toContain('--input');
  });

  it('a slip is told the nearest command, also one that the short help leaves out', async () => {
    const failed = await sandbox.failure(['grafiti']);
    expectFailure(failed, "usage 'grafiti' graphiti?");
    expect(failed.exitCode).toBe(2);
  });

  it.each([
    [['memory']],
    [['memory', '--help']],
    [['graphiti']],
    [['graphiti', '--help']],
    [['help', 'graphiti']],
  ])('%j shows every command of the group [CLI-1]', async (args) => {
    const { stdout, stderr, exitCode } = await sandbox.guardkit(args);
    for (const command of COMMAND_GROUPS.find(({ name }) => name === 'memory')?.commands ?? []) {
      expect(stdout).toContain(`  ${command.name} `);
    }
    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
  });

  it.each([
    ['an unknown command', ['nonsense'], "'nonsense' guardkit --help"],
    ['a misspelt command', ['graphiti', 'serch', 'x'], "'serch' search?"],
    ['a misspelt option', ['graphiti', 'search', 'x', '--limt', '5'], "'--limt' --limit?"],
    ['a missing argument', ['graphiti', 'search'], "'query' guardkit memory search --help"],
    ['a query without quotes', ['graphiti', 'search', 'two', 'words'], '1 2 --help'],
    ['a query that looks like an option', ['graphiti', 'search', '-x'], "'-x' --"],
  ])('%s is wrong use, said once with the remedy [CLI-1]', async (_case, args, expected) => {
    const { stdout, stderr, exitCode } = await sandbox.guardkit(args);
    expect(stderr).toMatch(/^✗ /);
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 2 });
    expectFailure(await sandbox.failure(args), `usage ${expected}`);
  });

  it('an option without its value is wrong use [CLI-1]', async () => {
    const { stdout, exitCode } = await sandbox.guardkit(['graphiti', 'list', 'guards', '--json', '--limit']);
    expectFailure({ exitCode, ...JSON.parse(stdout).error }, "usage '--limit --help");
    expect(exitCode).toBe(2);
  });

  it('wrong use with --json is one JSON document too [CLI-2]', async () => {
    const { stdout, stderr, exitCode } = await sandbox.program([
      'graphiti',
      'search',
      'x',
      '--nope',
      '--json',
    ]);
    expect(JSON.parse(stdout)).toEqual({
      error: {
        code: 'usage',
        message: expect.stringContaining('--nope'),
        hint: expect.stringContaining('--help'),
      },
    });
    expect(stderr).toContain(`✗ ${JSON.parse(stdout).error.message}`);
    expect(exitCode).toBe(2);
  });

  it.each([
    ['a limit that is no number', ['search', 'x', '--limit', 'abc'], 'usage --limit: 1 1000'],
    ['a limit of nothing', ['search', 'x', '--limit', '0'], 'usage --limit: 1 1000'],
    ['a limit in another notation', ['list', 'guards', '--limit', '1e3'], 'usage --limit:'],
    ['a limit that is too high', ['search', 'x', '--limit', '1001'], 'usage --limit: 1 1000'],
    ['a time in words', ['search', 'x', '--as-of', 'yesterday'], 'time.format "yesterday"'],
    ['a day that does not exist', ['show', 'X', '--as-of', '2026-13-45'], 'time.format "2026-13-45"'],
    ['a filter without a value', ['list', 'guards', '--where', 'nonsense'], 'usage --where nonsense:'],
    ['a filter without a field', ['list', 'guards', '--where', '=1'], 'usage --where =1:'],
    [
      'a field that is not indexed',
      ['list', 'role_constraints', '--where', 'unknown=1'],
      'list.unknown-field "unknown"',
    ],
    [
      'a group that is misspelt',
      ['search', 'x', '--group', 'turn_state'],
      'group.unknown "turn_state" turn_states?',
    ],
    ['a group that does not exist', ['list', 'xyzzy'], 'group.unknown "xyzzy" architecture, evidence,'],
    ['a group with illegal characters', ['list', '../etc'], 'group.illegal "../etc"'],
    ['a project’s group that does not exist', ['list', 'shop__turn_state'], 'group.unknown turn_states?'],
    ['a system group of a project', ['list', 'shop__role_constraints'], 'group.unknown role_constraints'],
  ])('%s is refused with what is expected [CLI-1]', async (_case, args, expected) => {
    const { stdout, stderr, exitCode } = await sandbox.graphiti(args);
    expect(stderr).not.toMatch(/^\s+at /m);
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 2 });
    expectFailure(await sandbox.failure(['graphiti', ...args]), expected);
  });

  it('names every option that is missing at once', async () => {
    const failed = await sandbox.failure(['graphiti', 'add', 'role_constraints']);
    expectFailure(failed, 'usage --id: --type: --body: --help');
    expect(failed.exitCode).toBe(2);
  });

  it('shows where an error comes from only when asked', async () => {
    const quiet = await sandbox.graphiti(['list', 'xyzzy']);
    const verbose = await sandbox.graphiti(['list', 'xyzzy', '--verbose']);
    expect(quiet.stderr).not.toMatch(/^\s+at /m);
    expect(verbose.stderr).toMatch(/^\s+at /m);
  });
});
