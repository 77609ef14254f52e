import { readFileSync, statSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Sandbox } from '../../support/cli.ts';
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
    const pipe = '$GUARDKIT graphiti export | GUARDKIT_HOME="$OTHER" $GUARDKIT graphiti import -';
    const env = { OTHER: sandbox.path('filled') };
    const first = await sandbox.shell(pipe, { env });
    const second = await sandbox.shell(pipe, { env });
    expect([first.stdout, second.stdout]).toEqual([
      '14 added, 0 already here\n',
      '0 added, 14 already here\n',
    ]);
    const exported = await sandbox.graphiti(['export']);
    const imported = await sandbox.graphiti(['export'], elsewhere('filled'));
    expect(imported.stdout).toBe(exported.stdout);
  });

  it('write a file that only its owner may read, of the groups that are asked for', async () => {
    const { stdout } = await sandbox.program(
      ['graphiti', 'export', '--group', 'turn_states', '--out', 'turns.jsonl'],
      IN,
    );
    const file = sandbox.path('shop', 'turns.jsonl');
    expect(stdout).toBe(`wrote 3 records to ${file}\n`);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file, 'utf8').split('\n')).toHaveLength(5);
    expect(await sandbox.json(['export', '--out', 'turns.jsonl'], IN)).toEqual({ file, records: 14 });
  });

  it('say with --dry-run what a file holds, and import nothing', async () => {
    await sandbox.graphiti(['export', '--out', sandbox.path('all.jsonl')]);
    const { stdout } = await sandbox.graphiti(
      ['import', sandbox.path('all.jsonl'), '--dry-run'],
      elsewhere(),
    );
    expect(stdout).toContain(': 14 records of role_constraints, quality_gate_configs,');
    expect((await sandbox.json(['status'], elsewhere())).episodes).toBe(0);
  });

  it.each([
    ['to a folder', '.', 'EISDIR'],
    ['below a file', 'file/export.jsonl', 'EEXIST|ENOTDIR'],
  ])('tell why a file %s cannot be written [CLI-1]', async (_case, out, code) => {
    sandbox.write('shop/file', '');
    const { stderr, exitCode } = await sandbox.graphiti(['export', '--out', out], IN);
    expect(stderr).toMatch(
      new RegExp(`^✗ /.* could not be written \\((?:${code})\\)\\.\n {2}Name a file in`),
    );
    expect(exitCode).toBe(3);
  });

  it('do not call many lines one JSON document [CLI-2]', async () => {
    expect(await sandbox.json(['export'])).toMatchObject({ error: { code: 'usage' } });
  });
});

describe('graphiti import refuses the whole file, with nothing imported,', () => {
  async function refusal(file: string): Promise<string> {
    const { stdout, stderr, exitCode } = await sandbox.graphiti(['import', file], elsewhere());
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 2 });
    expect((await sandbox.json(['status'], elsewhere())).episodes).toBe(0);
    return stderr;
  }

  it('if one line is not JSON, and names the line [MEM-8]', async () => {
    const message = await refusal(await exportWith(7, '{oops'));
    expect(message).toContain('changed.jsonl, line 7: this is not JSON\n');
    expect(message).toContain('Nothing was imported. Correct that line, or export again.');
  });

  it('if one line does not fit, and names the line and the field [MEM-8]', async () => {
    const { stdout } = await sandbox.graphiti(['export']);
    const record = (stdout.split('\n')[4] ?? '').replace('"name"', '"nane"');
    const message = await refusal(await exportWith(5, record));
    expect(message).toContain('changed.jsonl, line 5: name: ');
    expect(message).toContain('nane: unknown field');
  });

  it('if a version ends before it begins', async () => {
    const { stdout } = await sandbox.graphiti(['export']);
    const record = (stdout.split('\n')[1] ?? '')
      .replace('"invalid_at":null', '"invalid_at":"2020-01-01T00:00:00Z"')
      .replace('"expired_at":null', '"expired_at":"2099-01-01T00:00:00Z"');
    expect(await refusal(await exportWith(2, record))).toContain(
      'line 2: invalid_at: this is before valid_at',
    );
  });

  it('if a version is closed on one axis only', async () => {
    const { stdout } = await sandbox.graphiti(['export']);
    const record = (stdout.split('\n')[1] ?? '').replace(
      '"expired_at":null',
      '"expired_at":"2099-01-01T00:00:00Z"',
    );
    expect(await refusal(await exportWith(2, record))).toContain(
      'line 2: invalid_at, expired_at: either both',
    );
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
    expect(await refusal(await exportWith(3, JSON.stringify(edge)))).toContain(
      'line 3: "Not Legal" is not a legal relation.',
    );
  });

  it('if a newer guardkit wrote it, and says so', async () => {
    const message = await refusal(await exportWith(1, '{"kind":"guardkit-export","version":2}'));
    expect(message).toContain('is an export of format version 2; this guardkit reads up to 1.');
    expect(message).toContain('upgrade this one');
  });

  it.each([
    ['is a file of another kind', '{"some":"json"}\n', 'does not begin like a guardkit export'],
    ['is not text', Buffer.from([0xff, 0xfe, 0x00, 0x80]), 'is not UTF-8 text'],
    ['is empty', '', 'is empty'],
  ])('if it %s', async (_case, content, message) => {
    const stderr = await refusal(sandbox.write('foreign', content));
    expect(stderr).toContain(message);
    expect(stderr).toContain('Give a file that `guardkit graphiti export --out FILE` wrote.');
  });

  it('if it is not there', async () => {
    expect(await refusal('nowhere.jsonl')).toContain('✗ nowhere.jsonl does not exist.');
  });
});

describe('graphiti clear', () => {
  it('removes nothing without --confirm, and says what it would [CLI-1]', async () => {
    const before = await sandbox.records();
    const { stdout, stderr, exitCode } = await sandbox.graphiti(['clear', '--group', 'turn_states'], IN);
    expect(stderr).toContain(`This would remove 3 versions from ${shop}__turn_states; nothing was removed.`);
    expect(stderr).toContain('Add --confirm to do it, or --dry-run to only look.');
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 2 });

    const dryRun = await sandbox.graphiti(['clear', '--group', 'turn_states', '--dry-run'], IN);
    expect(dryRun).toMatchObject({
      exitCode: 0,
      stdout: `would remove 3 versions from ${shop}__turn_states\n`,
    });
    expect(await sandbox.records()).toEqual(before);
  });

  it('leaves a copy in the archive, and the command it names brings everything back', async () => {
    const before = await sandbox.records();
    const { stdout } = await sandbox.program(
      ['graphiti', 'clear', '--group', 'turn_states', '--confirm'],
      IN,
    );
    const [removed = '', restore = ''] = stdout.split('\n');
    expect(removed).toBe(`removed 3 versions from ${shop}__turn_states`);
    expect((await sandbox.json(['list', 'turn_states'], IN)).episodes).toEqual([]);
    expect(sandbox.archive()).toHaveLength(1);

    const command = /^to bring them back: guardkit (.*)$/.exec(restore)?.[1] ?? '';
    const restored = await sandbox.shell(`$GUARDKIT ${command}`);
    expect(restored.stdout).toBe('3 added, 0 already here\n');
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
