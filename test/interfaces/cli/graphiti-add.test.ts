import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Sandbox } from '../../support/cli.ts';
import { expectFailure } from '../../support/expect-failure.ts';

const sandbox = new Sandbox();
const IN = { in: 'shop' };
const NOTE = { title: 'Use WAL', text: 'so that readers do not wait', tags: ['db'] };
const TURN = { feature_id: 'FEAT-X', task_id: 'TASK-X-1', turn_number: 1, mode: 'fresh_start' };
let shop: string;

beforeAll(() => {
  shop = sandbox.repository('shop');
});
afterAll(() => sandbox.cleanup());

function add(group: string, id: string, type: string, body: string, ...more: string[]): string[] {
  return ['graphiti', 'add', group, '--id', id, '--type', type, '--body', body, ...more];
}

describe('graphiti add', () => {
  it('writes from a file and from standard input, and a second time changes nothing [MEM-4]', async () => {
    const file = sandbox.write('note.json', NOTE);
    const first = await sandbox.program(add('architecture', 'N-1', 'note', file, '--json'), IN);
    const again = await sandbox.program(add('architecture', 'N-1', 'note', '-', '--json'), {
      ...IN,
      input: JSON.stringify(NOTE),
    });
    const group = `${shop}__architecture`;
    expect([first, again].map(({ stdout }) => JSON.parse(stdout))).toMatchObject([
      { action: 'created', entity_id: 'N-1', group },
      { action: 'unchanged', entity_id: 'N-1', group },
    ]);
    expect([first.exitCode, again.exitCode]).toEqual([0, 0]);
  });

  it('finds a file beside the caller, and reads one that begins with a byte order mark', async () => {
    sandbox.write(
      'shop/marked.json',
      Buffer.concat([Buffer.from('\uFEFF'), Buffer.from(JSON.stringify(NOTE))]),
    );
    const { stdout } = await sandbox.guardkit(
      add('architecture', 'N-2', 'note', 'marked.json', '--json'),
      IN,
    );
    expect(JSON.parse(stdout)).toMatchObject({ action: 'created', entity_id: 'N-2' });
  });

  it('says with --dry-run what it would do, and does nothing', async () => {
    const dryRun = async (body: unknown) => {
      const args = add('failed_approaches', 'N-1', 'note', '-');
      const { stdout } = await sandbox.guardkit([...args, '--dry-run', '--json'], {
        ...IN,
        input: JSON.stringify(body),
      });
      return JSON.parse(stdout);
    };
    const planned = { group: `${shop}__failed_approaches`, entity_id: 'N-1', dry_run: true };
    expect(await dryRun(NOTE)).toEqual({ ...planned, action: 'created' });
    expect((await sandbox.json(['list', 'failed_approaches'], IN)).episodes).toEqual([]);
    await sandbox.guardkit(add('failed_approaches', 'N-1', 'note', '-'), {
      ...IN,
      input: JSON.stringify(NOTE),
    });
    expect(await dryRun(NOTE)).toEqual({ ...planned, action: 'unchanged' });
    expect(await dryRun({ title: 'Another' })).toEqual({ ...planned, action: 'updated' });
  });

  it('says honestly who wrote: a program, where nobody is at a terminal', async () => {
    await sandbox.guardkit(add('task_outcomes', 'N-1', 'note', '-'), { ...IN, input: JSON.stringify(NOTE) });
    expect(await sandbox.json(['list', 'task_outcomes'], IN)).toMatchObject({
      episodes: [{ source: 'program' }],
    });
  });

  it('scrubs secrets before they are stored [SEC-1]', async () => {
    const key = `AKIA${'IOSFODNN7EXAMPLE'}`;
    await sandbox.guardkit(add('architecture', 'N-KEY', 'note', '-'), {
      ...IN,
      input: JSON.stringify({ title: 'Key', text: `the key is ${key} here` }),
    });
    const { stdout } = await sandbox.graphiti(['show', 'N-KEY'], IN);
    expect(stdout).toContain('[scrubbed:');
    expect((await sandbox.records()).join('\n')).not.toContain(key);
  });
});

describe('graphiti add refuses, with nothing written,', () => {
  const text = JSON.stringify(NOTE);
  const big = JSON.stringify({ title: 'Big', text: 'x '.repeat(5_000_000) });
  const latin = Buffer.from(JSON.stringify({ title: 'caf\u00e9' }), 'latin1');
  const cases: [what: string, args: string[], input: string | Uint8Array, expected: string][] = [
    ['what is not JSON', add('architecture', 'BAD', 'note', '-'), '{bad', 'json.malformed'],
    ['an empty input', add('architecture', 'BAD', 'note', '-'), '', 'json.malformed'],
    ['what is not UTF-8', add('architecture', 'BAD', 'note', '-'), latin, 'file.unreadable'],
    [
      'a file that is not there',
      add('architecture', 'BAD', 'note', 'missing.json'),
      '',
      'file.unreadable missing.json',
    ],
    ['a folder', add('architecture', 'BAD', 'note', '.'), '', 'file.unreadable'],
    ['a list', add('architecture', 'BAD', 'note', '-'), '[1]', 'entity.invalid-body note'],
    [
      'a body that does not fit, with each fault by its path',
      add('architecture', 'BAD', 'note', '-'),
      '{"title":"","tags":"x","foo":1}',
      'entity.invalid-body title: tags: foo:',
    ],
    ['an unknown type', add('architecture', 'BAD', 'notte', '-'), text, 'entity.unknown-type "notte" note,'],
    [
      'a type in a group where it does not belong',
      add('turn_states', 'BAD', 'note', '-'),
      text,
      'entity.wrong-group note turn_states architecture,',
    ],
    ['an unknown group', add('architectur', 'BAD', 'note', '-'), text, 'group.unknown architecture?'],
    ['an illegal id', add('architecture', 'N 1', 'note', '-'), text, 'entity.illegal-id'],
    ['an empty id', add('architecture', '', 'note', '-'), text, 'entity.illegal-id'],
    [
      'an id that is not the body’s',
      add('turn_states', 'TURN-FEAT-Y-1', 'turn_state', '-'),
      JSON.stringify(TURN),
      'entity.id-mismatch TURN-FEAT-Y-1 TURN-FEAT-X-TASK-X-1-T1',
    ],
    ['a body of 10 MB', add('architecture', 'BAD', 'note', '-'), big, 'entity.too-large 10.0'],
    [
      'an input without end',
      add('architecture', 'BAD', 'note', '-'),
      Buffer.alloc(33_000_000, ' '),
      'file.unreadable 32.0',
    ],
  ];

  it.each(cases)('%s [MEM-6]', async (_what, args, input, expected) => {
    const failed = await sandbox.failure(args, { ...IN, input });
    expectFailure(failed, expected);
    expect(failed.exitCode).toBe(2);
    expect((await sandbox.graphiti(['show', 'BAD'], IN)).exitCode).toBe(1);
  });
});
