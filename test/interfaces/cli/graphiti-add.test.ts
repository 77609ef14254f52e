import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Sandbox } from '../../support/cli.ts';

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
    const first = await sandbox.program(add('architecture', 'N-1', 'note', file), IN);
    const again = await sandbox.program(add('architecture', 'N-1', 'note', '-'), {
      ...IN,
      input: JSON.stringify(NOTE),
    });
    expect([first.stdout, again.stdout]).toEqual([
      `created: N-1 in ${shop}__architecture\n`,
      `unchanged: N-1 in ${shop}__architecture\n`,
    ]);
    expect([first.exitCode, again.exitCode]).toEqual([0, 0]);
  });

  it('finds a file beside the caller, and reads one that begins with a byte order mark', async () => {
    sandbox.write(
      'shop/marked.json',
      Buffer.concat([Buffer.from('\uFEFF'), Buffer.from(JSON.stringify(NOTE))]),
    );
    const { stdout } = await sandbox.guardkit(add('architecture', 'N-2', 'note', 'marked.json'), IN);
    expect(stdout).toBe(`created: N-2 in ${shop}__architecture\n`);
  });

  it('says with --dry-run what it would do, and does nothing', async () => {
    const dryRun = async (body: unknown) => {
      const args = add('failed_approaches', 'N-1', 'note', '-');
      const { stdout } = await sandbox.guardkit([...args, '--dry-run'], {
        ...IN,
        input: JSON.stringify(body),
      });
      return stdout;
    };
    const group = `${shop}__failed_approaches`;
    expect(await dryRun(NOTE)).toBe(`would create N-1 in ${group}\n`);
    expect((await sandbox.json(['list', 'failed_approaches'], IN)).episodes).toEqual([]);
    await sandbox.guardkit(add('failed_approaches', 'N-1', 'note', '-'), {
      ...IN,
      input: JSON.stringify(NOTE),
    });
    expect(await dryRun(NOTE)).toBe(`would leave unchanged N-1 in ${group}\n`);
    expect(await dryRun({ title: 'Another' })).toBe(`would update N-1 in ${group}\n`);
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
    expect(stdout).toContain('the key is [scrubbed:');
    expect((await sandbox.records()).join('\n')).not.toContain(key);
  });
});

describe('graphiti add refuses, with nothing written,', () => {
  const text = JSON.stringify(NOTE);
  const cases: [what: string, args: string[], input: string | Uint8Array, ...messages: string[]][] = [
    ['what is not JSON', add('architecture', 'BAD', 'note', '-'), '{bad', 'Standard input is not JSON: '],
    ['an empty input', add('architecture', 'BAD', 'note', '-'), '', 'Standard input is empty.'],
    [
      'what is not UTF-8',
      add('architecture', 'BAD', 'note', '-'),
      Buffer.from(JSON.stringify({ title: 'caf\u00e9' }), 'latin1'),
      'Standard input is not UTF-8 text.',
    ],
    [
      'a file that is not there',
      add('architecture', 'BAD', 'note', 'missing.json'),
      '',
      'missing.json does not exist.',
      'Give a JSON file, or - to read standard input.',
    ],
    ['a folder', add('architecture', 'BAD', 'note', '.'), '', '. is a folder.'],
    ['a list', add('architecture', 'BAD', 'note', '-'), '[1]', 'The body does not fit note:'],
    [
      'a body that does not fit, with each fault by its path',
      add('architecture', 'BAD', 'note', '-'),
      '{"title":"","tags":"x","foo":1}',
      '\n  title: ',
      '\n  tags: ',
      '\n  foo: unknown field',
    ],
    [
      'an unknown type',
      add('architecture', 'BAD', 'notte', '-'),
      text,
      'There is no entity type "notte".',
      'note',
    ],
    [
      'a type in a group where it does not belong',
      add('turn_states', 'BAD', 'note', '-'),
      text,
      'A note does not belong in the group',
      'It belongs in architecture,',
    ],
    ['an unknown group', add('architectur', 'BAD', 'note', '-'), text, 'Did you mean architecture?'],
    ['an illegal id', add('architecture', 'N 1', 'note', '-'), text, '"N 1" is not a legal entity id.'],
    ['an empty id', add('architecture', '', 'note', '-'), text, '"" is not a legal entity id.'],
    [
      'an id that is not the body’s',
      add('turn_states', 'TURN-FEAT-Y-1', 'turn_state', '-'),
      JSON.stringify(TURN),
      'The id given is TURN-FEAT-Y-1, but this body is TURN-FEAT-X-TASK-X-1-T1.',
    ],
    [
      'a body of 10 MB',
      add('architecture', 'BAD', 'note', '-'),
      JSON.stringify({ title: 'Big', text: 'x '.repeat(5_000_000) }),
      'The body of this note is 10.0 MB; at most 1 MB is stored.',
    ],
    [
      'an input without end',
      add('architecture', 'BAD', 'note', '-'),
      Buffer.alloc(33_000_000, ' '),
      'Standard input is longer than the 32.0 MB that are read.',
    ],
  ];

  it.each(cases)('%s [MEM-6]', async (_what, args, input, ...messages) => {
    const { stdout, stderr, exitCode } = await sandbox.guardkit(args, { ...IN, input });
    for (const message of messages) expect(stderr).toContain(message);
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 2 });
    expect((await sandbox.graphiti(['show', 'BAD'], IN)).exitCode).toBe(1);
  });
});
