import { readFileSync, statSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CliFailure, Sandbox } from '../../support/cli.ts';
import { expectFailure } from '../../support/expect-failure.ts';
import { addGuideTurns } from './guide-turns.ts';

const IN = { in: 'shop' };
let sandbox: Sandbox;
let shop: string;

beforeAll(async () => {
  sandbox = new Sandbox();
  shop = sandbox.repository('shop');
  await sandbox.graphiti(['seed']);
  await addGuideTurns(sandbox, 'shop');
});
afterAll(() => sandbox.cleanup());

/** The same machine with another data folder. */
function elsewhere(name = 'empty'): { env: { GUARDKIT_HOME: string } } {
  return { env: { GUARDKIT_HOME: sandbox.path(name) } };
}

/** An export whose line n is something else. */
async function exportWith(line: number, text: string): Promise<string> {
  const { stdout } = await sandbox.graphiti(['export']);
  const lines = stdout.split('\n');
  lines[line - 1] = text;
  return sandbox.write('changed.jsonl', lines.join('\n'));
}

describe('graphiti export and import', () => {
  it('carry everything to another store through a pipe, and a second time change nothing [MEM-8]', async () => {
    const pipe = '$GUARDKIT graphiti export | GUARDKIT_HOME="$OTHER" $GUARDKIT graphiti import - --json';
    const env = { OTHER: sandbox.path('filled') };
    const first = await sandbox.shell(pipe, { env });
    const second = await sandbox.shell(pipe, { env });
    expect([first, second].map(({ stdout }) => JSON.parse(stdout))).toEqual([
      { added: 14, unchanged: 0 },
      { added: 0, unchanged: 14 },
    ]);
    const exported = await sandbox.graphiti(['export']);
    const imported = await sandbox.graphiti(['export'], elsewhere('filled'));
    expect(imported.stdout).toBe(exported.stdout);
  });

  it('write a file that only its owner may read, of the groups that are asked for', async () => {
    const { stdout } = await sandbox.program(
      ['graphiti', 'export', '--group', 'turn_states', '--out', 'turns.jsonl', '--json'],
      IN,
    );
    const file = sandbox.path('shop', 'turns.jsonl');
    expect(JSON.parse(stdout)).toEqual({ file, records: 3 });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file, 'utf8').split('\n')).toHaveLength(5);
    expect(await sandbox.json(['export', '--out', 'turns.jsonl'], IN)).toEqual({ file, records: 14 });
  });

  it('say with --dry-run what a file holds, and import nothing', async () => {
    await sandbox.graphiti(['export', '--out', sandbox.path('all.jsonl')]);
    const found = await sandbox.json(['import', sandbox.path('all.jsonl'), '--dry-run'], elsewhere());
    expect(found).toMatchObject({
      records: 14,
      groups: expect.arrayContaining(['role_constraints', 'quality_gate_configs']),
      dry_run: true,
    });
    expect((await sandbox.json(['status'], elsewhere())).episodes).toBe(0);
  });

  it.each([
    ['to a folder', '.', 'EISDIR'],
    ['below a file', 'file/export.jsonl', 'EEXIST|ENOTDIR'],
  ])('tell why a file %s cannot be written [CLI-1]', async (_case, out, code) => {
    sandbox.write('shop/file', '');
    expect(await sandbox.failure(['graphiti', 'export', '--out', out], IN)).toMatchObject({
      exitCode: 3,
      code: 'file.not-written',
      message: expect.stringMatching(new RegExp(`/shop.*(?:${code})`)),
    });
  });

  it('do not call many lines one JSON document [CLI-2]', async () => {
    expect(await sandbox.json(['export'])).toMatchObject({ error: { code: 'usage' } });
  });
});

describe('graphiti import refuses the whole file, with nothing imported,', () => {
  async function refusal(file: string): Promise<CliFailure> {
    const failed = await sandbox.failure(['graphiti', 'import', file], elsewhere());
    expect(failed.exitCode).toBe(2);
    expect((await sandbox.json(['status'], elsewhere())).episodes).toBe(0);
    return failed;
  }

  it('if one line is not JSON, and names the line [MEM-8]', async () => {
    expectFailure(await refusal(await exportWith(7, '{oops')), 'import.malformed changed.jsonl 7: JSON');
  });

  it('if one line does not fit, and names the line and the field [MEM-8]', async () => {
    const { stdout } = await sandbox.graphiti(['export']);
    const record = (stdout.split('\n')[4] ?? '').replace('"name"', '"nane"');
    expectFailure(
      await refusal(await exportWith(5, record)),
      'import.malformed changed.jsonl 5: name: nane:',
    );
  });

  it('if a version ends before it begins', async () => {
    const { stdout } = await sandbox.graphiti(['export']);
    const record = (stdout.split('\n')[1] ?? '')
      .replace('"invalid_at":null', '"invalid_at":"2020-01-01T00:00:00Z"')
      .replace('"expired_at":null', '"expired_at":"2099-01-01T00:00:00Z"');
    expectFailure(await refusal(await exportWith(2, record)), 'import.malformed 2: invalid_at: valid_at');
  });

  it('if a version is closed on one axis only', async () => {
    const { stdout } = await sandbox.graphiti(['export']);
    const record = (stdout.split('\n')[1] ?? '').replace(
      '"expired_at":null',
      '"expired_at":"2099-01-01T00:00:00Z"',
    );
    expectFailure(await refusal(await exportWith(2, record)), 'import.malformed 2: invalid_at, expired_at:');
  });

  it('if a relation has an illegal name', async () => {
    const edge = {
      kind: 'edge',
      uuid: '0d0d4c62-c7d4-4212-994e-45aa19d0f563',
      from_scope: '',
      from_id: 'A',
      relation: 'Not Legal',
      to_scope: '',
      to_id: 'B',
      valid_at: '2026-01-01T00:00:00Z',
      invalid_at: null,
      created_at: '2026-01-01T00:00:00Z',
      expired_at: null,
    };
    expectFailure(
      await refusal(await exportWith(3, JSON.stringify(edge))),
      'import.malformed 3: "Not Legal"',
    );
  });

  it('if a newer guardkit wrote it, and says so', async () => {
    expectFailure(
      await refusal(await exportWith(1, '{"kind":"guardkit-export","version":2}')),
      'import.newer-format changed.jsonl 2',
    );
  });

  it.each([
    ['is a file of another kind', '{"some":"json"}\n', 'import.foreign'],
    ['is not text', Buffer.from([0xff, 0xfe, 0x00, 0x80]), 'file.unreadable'],
    ['is empty', '', 'import.foreign'],
  ])('if it %s', async (_case, content, code) => {
    const failed = await refusal(sandbox.write('foreign', content));
    expectFailure(failed, `${code} ${sandbox.path('foreign')}`);
    expect(failed.hint).toContain('guardkit memory export --out FILE');
  });

  it('if it is not there', async () => {
    expectFailure(await refusal('nowhere.jsonl'), 'file.unreadable nowhere.jsonl');
  });
});

describe('graphiti clear', () => {
  it('removes nothing without --confirm, and says what it would [CLI-1]', async () => {
    const before = await sandbox.records();
    const failed = await sandbox.failure(['graphiti', 'clear', '--group', 'turn_states'], IN);
    expectFailure(failed, `usage 3 ${shop}__turn_states --confirm --dry-run`);
    expect(failed.exitCode).toBe(2);

    const dryRun = await sandbox.graphiti(['clear', '--group', 'turn_states', '--dry-run'], IN);
    expect(dryRun.exitCode).toBe(0);
    expect(dryRun.stdout).toMatch(new RegExp(`\\b3\\b.*${shop}__turn_states`));
    expect(await sandbox.records()).toEqual(before);
  });

  it('leaves a copy in the archive, and the command it names brings everything back', async () => {
    const before = await sandbox.records();
    const { stdout } = await sandbox.program(
      ['graphiti', 'clear', '--group', 'turn_states', '--confirm'],
      IN,
    );
    const [removed = '', restore = ''] = stdout.split('\n');
    expect(removed).toMatch(new RegExp(`\\b3\\b.*${shop}__turn_states`));
    expect((await sandbox.json(['list', 'turn_states'], IN)).episodes).toEqual([]);
    expect(sandbox.archive()).toHaveLength(1);

    const command = /guardkit (memory import .*)$/.exec(restore)?.[1] ?? '';
    const restored = await sandbox.shell(`$GUARDKIT ${command} --json`);
    expect(JSON.parse(restored.stdout)).toEqual({ added: 3, unchanged: 0 });
    expect(await sandbox.records()).toEqual(before);
  });

  it('keeps no copy where none is wanted, or where there is nothing to keep', async () => {
    const before = sandbox.archive();
    const args = ['clear', '--group', 'turn_states', '--confirm', '--no-archive'];
    expect(await sandbox.json(args, IN)).toEqual({
      groups: [`${shop}__turn_states`],
      removed: 3,
      archive: null,
    });
    expect(await sandbox.json(args.slice(0, -1), IN)).toMatchObject({ removed: 0, archive: null });
    expect(sandbox.archive()).toEqual(before);
  });
});
