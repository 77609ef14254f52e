import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Sandbox } from '../../support/cli.ts';

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
    ['outside a repository', 'outside', 'this folder is not in a git repository', 'git init'],
    ['in a repository without commits', 'empty', 'this repository has no commits yet', 'guardkit init'],
    ['in a shallow clone', 'shallow', 'this is a shallow clone', 'git fetch --unshallow'],
  ])('is unknown %s, where project groups say what is missing', async (_case, folder, why, remedy) => {
    const { stdout, stderr, exitCode } = await sandbox.graphiti(['list', 'turn_states'], { in: folder });
    expect(stderr).toContain(`✗ turn_states belongs to a project, and ${why}`);
    expect(stderr).toContain(remedy);
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 2 });

    const status = await sandbox.graphiti(['status'], { in: folder });
    expect(status.stdout).toMatch(new RegExp(`^Project: +none: ${why}`, 'm'));
    expect(status.exitCode).toBe(0);
  });

  it('is not needed for the system groups', async () => {
    const list = await sandbox.graphiti(['list', 'quality_gate_configs']);
    expect(list).toMatchObject({ exitCode: 0, stdout: '0 episodes in quality_gate_configs\n' });
    const { stdout } = await sandbox.graphiti(['show', 'TURN-FEAT-AUTH-1']);
    expect(stdout).toContain(
      'Only the system groups were looked at: this folder is not in a git repository.',
    );
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
    const { stderr, exitCode } = await sandbox.graphiti(['search', 'x'], { in: 'faulty' });
    expect(stderr).toContain(`${file}:1:1: unknown key "projekt"`);
    expect(stderr).toContain(`${file}:3:8: store.url: a postgres:// address is expected`);
    expect(exitCode).toBe(2);
  });

  it('that is not YAML says where it ends to be [CLI-2]', async () => {
    sandbox.repository('broken');
    const file = sandbox.write('broken/.guardkit/config.yaml', 'project: a\nproject: b\n');
    expect(await sandbox.json(['status'], { in: 'broken' })).toEqual({
      error: {
        code: 'config.invalid',
        message: expect.stringContaining(`${file}:2:1: `),
        hint: 'Correct these lines; nothing was changed.',
      },
    });
  });

  it('that is a folder is something outside that failed [CLI-1]', async () => {
    sandbox.repository('odd');
    sandbox.write('odd/.guardkit/config.yaml/inside', '');
    const { stderr, exitCode } = await sandbox.graphiti(['status'], { in: 'odd' });
    expect(stderr).toContain('config.yaml cannot be read (EISDIR)');
    expect(exitCode).toBe(3);
  });
});
