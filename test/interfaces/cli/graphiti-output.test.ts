import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Sandbox } from '../../support/cli.ts';

const IN = { in: 'shop' };
/** Colours, a title, a CSI in one character, a mark that turns text around, a bell. */
const EVIL = 'evil \u001b[31mred\u001b]0;title\u0007 \u009b2J \u202etxt.exe \u007f';
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not come through
const CONTROL = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;

const sandbox = new Sandbox();
beforeAll(async () => {
  sandbox.repository('shop');
  await sandbox.graphiti(['seed']);
  await sandbox.graphiti(['add', 'architecture', '--id', 'EVIL', '--type', 'note', '--body', '-'], {
    ...IN,
    input: JSON.stringify({ title: EVIL, text: `more\n${EVIL}`, tags: [EVIL] }),
  });
});
afterAll(() => sandbox.cleanup());

describe.concurrent('what is stored cannot control the terminal', () => {
  it.each([
    ['search', ['search', 'evil', '--verbose']],
    ['a query', ['search', EVIL]],
    ['list', ['list', 'architecture', '--where', `tags=${EVIL}`]],
    ['show', ['show', 'EVIL']],
    ['history', ['history', 'EVIL']],
    ['JSON', ['show', 'EVIL', '--json']],
    ['an export', ['export']],
    ['an error', ['list', EVIL]],
  ])('in %s [SEC-4]', async (_case, args) => {
    const { stdout, stderr } = await sandbox.graphiti(args, IN);
    expect(`${stdout}${stderr}`).toContain('evil');
    expect(`${stdout}${stderr}`).not.toMatch(CONTROL);
  });

  it('and yet programs read exactly what was written [MEM-3]', async () => {
    expect(await sandbox.json(['show', 'EVIL'], IN)).toMatchObject({ episodes: [{ body: { title: EVIL } }] });
  });
});

describe.concurrent('the program', () => {
  it.each([
    ['export', 'export'],
    ['search', 'search coverage'],
    ['JSON', 'list quality_gate_configs --json'],
    ['help', '--help'],
  ])('ends quietly when the reader of %s has seen enough', async (_case, command) => {
    const { stdout, stderr } = await sandbox.shell(`$GUARDKIT graphiti ${command} | head -n 1`);
    expect(stdout.split('\n')).toHaveLength(2);
    expect(stderr).toBe('');
  });

  it.each([
    ['a negative result', 'show NOPE', 1],
    ['an error', 'search --bogus --json', 2],
    ['a success', 'list quality_gate_configs', 0],
  ])('ends with the exit code of %s even if nobody reads it [CLI-1]', async (_case, command, expected) => {
    const { stderr } = await sandbox.shell(`{ $GUARDKIT graphiti ${command}; echo "exit $?" >&2; } | true`);
    expect(stderr.trimEnd().split('\n').at(-1)).toBe(`exit ${expected}`);
  });

  it.skipIf(!existsSync('/dev/full'))(
    'says that a full disk took nothing of the output [CLI-1]',
    async () => {
      const { stderr, exitCode } = await sandbox.shell('$GUARDKIT graphiti export > /dev/full');
      expect(stderr).toMatch(/^✗ .*ENOSPC/);
      expect(stderr).not.toMatch(/^\s+at /m);
      expect(exitCode).toBe(3);
    },
  );

  it('writes no colours, with NO_COLOR or without', async () => {
    const plain = await sandbox.program(['graphiti', 'status', '--verbose']);
    const noColor = await sandbox.program(['graphiti', 'status', '--verbose'], { env: { NO_COLOR: '1' } });
    expect(plain.stdout).not.toMatch(CONTROL);
    expect(noColor.stdout).toBe(plain.stdout);
  });

  it.each([
    ['10 kB of anything', `NEAR("a" OR *) '; DROP TABLE episode; -- \u{1F600} `.repeat(220)],
    ['no word at all', '"*()^:-'],
    ['nothing', ''],
    ['other scripts', 'café ß Ελληνικά 日本語 🎉'],
    ['half a character', '\ud83d half'],
  ])('searches for %s without an error [FIND-2]', async (_case, query) => {
    const { stdout, stderr, exitCode } = await sandbox.graphiti(['search', '--', query], IN);
    expect(stdout).not.toBe('');
    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
  });

  it('prints one JSON document for every command, and nothing beside it [CLI-2]', async () => {
    const commands = [
      ['seed', '--dry-run'],
      ['search', 'coverage'],
      ['status'],
      ['show', 'ROLE-player'],
      ['show', 'NOBODY'],
      ['list', 'role_constraints'],
      ['history', 'ROLE-player'],
      ['clear', '--group', 'patterns', '--confirm'],
      ['import', 'nowhere'],
      ['list', 'xyzzy'],
    ];
    for (const args of commands) expect(await sandbox.json(args, IN)).toBeTypeOf('object');
  });

  it('asks nobody, and shows lines of a useful width, where the width is not known', async () => {
    const { stdout } = await sandbox.program(['graphiti', 'search', 'coverage', '--limit', '1']);
    const line = stdout.split('\n')[2] ?? '';
    expect([...line]).toHaveLength(160);
    expect(line.endsWith('…')).toBe(true);
  });
});
