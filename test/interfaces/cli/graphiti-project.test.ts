import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Sandbox } from '../../support/cli.ts';
import { expectFailure } from '../../support/expect-failure.ts';

const sandbox = new Sandbox();
let shop: string;

beforeAll(() => {
  shop = sandbox.repository('shop');
  sandbox.commit('shop', 'Go on');
  sandbox.git('shop', 'worktree', 'add', '--quiet', '../elsewhere');
  sandbox.git('.', 'clone', '--quiet', 'shop', 'clones/shop');
  sandbox.git('.', 'clone', '--quiet', '--depth', '1', `file://${sandbox.path('shop')}`, 'shallow');
  sandbox.emptyRepository('empty');
  sandbox.write('shop/deep/down/file', '');
  sandbox.write('outside/.git/not-a-repository', '');
});
afterAll(() => sandbox.cleanup());

function projectIn(folder: string): Promise<unknown> {
  return sandbox.json(['status'], { in: folder }).then(({ project }) => project);
}

describe.concurrent('the project of a command', () => {
  it('is named after the folder and the root commit', async () => {
    expect(await projectIn('shop')).toBe(shop);
  });

  it('is the same deep inside it', async () => {
    expect(await projectIn('shop/deep/down')).toBe(shop);
  });

  it('is the same in a linked worktree of another name', async () => {
    expect(await projectIn('elsewhere')).toBe(shop);
  });

  it('is the same in a clone', async () => {
    expect(await projectIn('clones/shop')).toBe(shop);
  });

  it.each([
    ['outside a repository', 'outside', 'git init'],
    ['in a repository without commits', 'empty', 'guardkit init'],
    ['in a shallow clone', 'shallow', 'git fetch --unshallow'],
  ])('is unknown %s, where project groups say what is missing', async (_case, folder, remedy) => {
    expect(await sandbox.failure(['graphiti', 'list', 'turn_states'], { in: folder })).toMatchObject({
      exitCode: 2,
      code: 'project.unknown',
      message: expect.stringContaining('turn_states'),
      hint: expect.stringContaining(remedy),
    });
    expect(await projectIn(folder)).toBeNull();
  });

  it('is not needed for the system groups', async () => {
    expect(await sandbox.json(['list', 'quality_gate_configs'])).toEqual({
      group: 'quality_gate_configs',
      episodes: [],
    });
    const shown = await Promise.all(
      ['outside', 'shop'].map((folder) => sandbox.graphiti(['show', 'TURN-FEAT-AUTH-1'], { in: folder })),
    );
    // One line more than inside a project: that only these were looked at.
    const [outside = 0, inside = 0] = shown.map(({ stdout }) => stdout.split('\n').length);
    expect(outside - inside).toBe(1);
  });

  it('is taken from .guardkit/config.yaml where that names one', async () => {
    sandbox.repository('named');
    sandbox.write('named/.guardkit/config.yaml', '# ours\nproject: my.own_name-1\n');
    expect(await projectIn('named')).toBe('my.own_name-1');
  });

  it('keeps its data from other projects, which are reached by the full name', async () => {
    const other = sandbox.repository('other');
    const body = sandbox.write('note.json', { title: 'Only here' });
    await sandbox.graphiti(['add', 'architecture', '--id', 'N-1', '--type', 'note', '--body', body], {
      in: 'other',
    });
    expect((await sandbox.json(['search', 'only here'], { in: 'shop' })).results).toEqual([]);
    expect((await sandbox.json(['list', `${other}__architecture`], { in: 'shop' })).episodes).toHaveLength(1);
  });
});

describe.concurrent('a faulty .guardkit/config.yaml', () => {
  it('stops the command with the place of each fault [CLI-1]', async () => {
    sandbox.repository('faulty');
    const file = sandbox.write('faulty/.guardkit/config.yaml', 'projekt: shop\nstore:\n  url: mysql://x\n');
    const failed = await sandbox.failure(['graphiti', 'search', 'x'], { in: 'faulty' });
    expectFailure(failed, `config.invalid ${file}:1:1: "projekt" ${file}:3:8: store.url postgres://`);
    expect(failed.exitCode).toBe(2);
  });

  it('that is not YAML is reported with the line of the fault [CLI-2]', async () => {
    sandbox.repository('broken');
    const file = sandbox.write('broken/.guardkit/config.yaml', 'project: a\nproject: b\n');
    expect(await sandbox.json(['status'], { in: 'broken' })).toEqual({
      error: {
        code: 'config.invalid',
        message: expect.stringContaining(`${file}:2:1: `),
        hint: expect.any(String),
        faults: [{ file, line: 2, column: 1, code: 'duplicate-key', message: expect.any(String) }],
      },
    });
  });

  it('that is a folder is something outside that failed [CLI-1]', async () => {
    sandbox.repository('odd');
    sandbox.write('odd/.guardkit/config.yaml/inside', '');
    const failed = await sandbox.failure(['graphiti', 'status'], { in: 'odd' });
    expectFailure(failed, 'config.unreadable config.yaml EISDIR');
    expect(failed.exitCode).toBe(3);
  });
});
