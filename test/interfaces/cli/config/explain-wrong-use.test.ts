import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Sandbox } from '../../../support/cli.ts';

const sandbox = new Sandbox();
beforeAll(async () => {
  sandbox.repository('shop');
  await sandbox.graphiti(['seed'], { in: 'shop' });
});
afterAll(() => sandbox.cleanup());

const explain = (...args: string[]) => sandbox.guardkit(['config', 'explain', ...args], { in: 'shop' });

it.each(['0', '11', '5.5', 'abc', '', ' ', '0x5', '1e1', '-3', ' 5', '٥', 'NaN', 'Infinity', '99999999999'])(
  'a complexity of %j is wrong use and gives no gates [CLI-1]',
  async (complexity) => {
    for (const what of ['gates', 'mode']) {
      const { exitCode, stdout, stderr } = await explain(what, '--complexity', complexity);
      expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
      expect(stderr).toMatch(/complexity.*\b10\b/s);
    }
  },
);

it.each([
  [['gates', 'testing', '--complexity', '5'], 'guardkit config explain gates --type testing'],
  [['mode', 'coach', '--complexity', '5'], 'guardkit config explain mode --type coach'],
])('%j is refused, rather than answered for another type', async (args, message) => {
  const { exitCode, stdout, stderr } = await explain(...args);
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
  expect(stderr).toContain(message);
});

it.each(['__proto__', 'constructor', '', 'Feature', 'f\u0435ature', '--', '../feature'])(
  'the type %j is not known, and those that are are listed',
  async (type) => {
    const args = ['config', 'explain', 'gates', `--type=${type}`, '--complexity', '5'];
    expect(await sandbox.failure(args, { in: 'shop' })).toMatchObject({
      exitCode: 2,
      code: 'task-type.unknown',
      hint: expect.stringContaining('bugfix, documentation, feature, refactor, scaffolding, testing'),
    });
  },
);

describe('with --json, standard output is one document and nothing else [CLI-2]', () => {
  const cases: [string, string[], Record<string, string>][] = [
    ['gates', ['gates', '--complexity', '5'], {}],
    ['a role', ['roles', 'coach'], {}],
    ['a mode', ['mode', '--complexity', '5'], {}],
    [
      'a store that is away',
      ['gates', '--complexity', '5'],
      { GUARDKIT_DATABASE_URL: 'postgres://127.0.0.1:1/x' },
    ],
    ['no advice', ['mode', '--complexity', '5'], { GUARDKIT_DATABASE_URL: 'postgres://127.0.0.1:1/x' }],
    ['wrong use', ['gates', '--complexity', 'high'], {}],
    ['a flag that does not exist', ['gates', '--bogus'], {}],
  ];

  it.each(cases)('for %s', async (_what, args, env) => {
    const { stdout, stderr } = await sandbox.guardkit(['config', 'explain', ...args, '--json'], {
      in: 'shop',
      env,
    });
    const printed = JSON.parse(stdout);
    if ('GUARDKIT_DATABASE_URL' in env)
      expect(stderr.trimEnd().split('\n')).toEqual([expect.stringContaining('127.0.0.1')]);
    else expect(stderr === '').toBe(printed.error === undefined);
  });

  it('for a check of files with faults, and of files that cannot be read', async () => {
    sandbox.repository('broken');
    sandbox.write('broken/.guardkit/config.yaml', 'projekt: x\n');
    sandbox.write('broken/.guardkit/config/quality-gates.yaml/inside', '');
    const { stdout, stderr, exitCode } = await sandbox.guardkit(['config', 'check', '--json'], {
      in: 'broken',
    });
    expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: '' });
    expect(JSON.parse(stdout).faults).toMatchObject([{ code: 'unknown-key' }, { code: 'unreadable' }]);
  });
});

it('control characters in a file do not reach the terminal [SEC-4]', async () => {
  sandbox.repository('odd');
  sandbox.write(
    'odd/.guardkit/config/entity-overrides.yaml',
    'role_constraints: {coach: {must_do_additions: ["\\e[2J gone \\u202e"]}}\n',
  );
  const { stdout } = await sandbox.guardkit(['config', 'explain', 'roles', 'coach'], { in: 'odd' });
  expect(stdout).toContain('gone');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there
  expect(stdout).not.toMatch(/[\u001b\u202e]/);
});

it('outside a repository explain answers by what is built in, and check says what to do', async () => {
  expect(await sandbox.guardkit(['config', 'explain', 'roles', 'player'])).toMatchObject({ exitCode: 0 });
  expect(await sandbox.failure(['config', 'check'])).toMatchObject({ exitCode: 2, code: 'project.unknown' });
});

it('a data folder below a file is named with the remedy, and is no fault of guardkit', async () => {
  const file = sandbox.write('plain', '');
  const failed = await sandbox.failure(['config', 'explain', 'roles', 'coach'], {
    env: { GUARDKIT_HOME: `${file}/below` },
  });
  expect(failed).toMatchObject({
    exitCode: 3,
    code: 'home.not-a-folder',
    message: expect.stringContaining(`${file}/below`),
    hint: expect.stringContaining('GUARDKIT_HOME'),
  });
});
