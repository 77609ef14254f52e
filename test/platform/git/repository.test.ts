import { chmodSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import {
  changedPaths,
  exportFiles,
  listTree,
  overlayTree,
  readBlobs,
  readTreeFile,
  snapshotTree,
  treeWithout,
} from '../../../src/platform/git/git-tree.ts';
import { Repository } from '../../../src/platform/git/repository.ts';
import { Sandbox } from '../../support/cli.ts';

const sandbox = new Sandbox();
afterAll(() => sandbox.cleanup());

let count = 0;
let name = '';
beforeEach(() => {
  name = `project ${++count} ünï`;
  sandbox.repository(name);
});

const open = () => Repository.open(sandbox.path(name));
const write = (path: string, text: string) => sandbox.write(`${name}/${path}`, text);
const commit = (message = 'More') => {
  sandbox.git(name, 'add', '--all', '--force');
  sandbox.commit(name, message);
};
const paths = async (tree: string) => (await listTree(await open(), tree)).map(({ path }) => path);

it('a tree that a person’s `git gc` has removed meanwhile is reported as missing', async () => {
  write('a.txt', 'not committed');
  const tree = await snapshotTree(await open(), []);
  sandbox.git(name, 'gc', '--quiet', '--prune=now');
  await expect(listTree(await open(), tree)).rejects.toMatchObject({ code: 'git.object-missing' });
});

describe('a snapshot of the working files', () => {
  it('contains tracked, changed and untracked files, but no ignored ones and none outside the tree', async () => {
    write('.gitignore', 'ignored\n');
    write('kept.txt', 'old');
    write('.guardkit/config.yaml', 'a: 1');
    write('.claude/progress/feature-list.json', '{}');
    commit();
    write('kept.txt', 'new');
    write('with space/ünï "quoted".txt', 'x');
    write('ignored', 'x');
    const repository = await open();
    const tree = await snapshotTree(repository, ['.guardkit', '.claude/progress']);
    expect(await paths(tree)).toEqual(['.gitignore', 'kept.txt', 'with space/ünï "quoted".txt']);
    expect(await readTreeFile(repository, tree, 'kept.txt')).toBe('new');
  });

  it('leaves the index and the files of the person as they are', async () => {
    write('a', '1');
    commit();
    write('a', '2');
    sandbox.git(name, 'add', 'a');
    write('a', '3');
    write('b', 'new');
    const before = sandbox.git(name, 'status', '--porcelain');
    await snapshotTree(await open(), []);
    expect(sandbox.git(name, 'status', '--porcelain')).toBe(before);
  });

  it('is the same for the same files, regardless of the index', async () => {
    write('a', '1');
    const before = await snapshotTree(await open(), []);
    sandbox.git(name, 'add', 'a');
    expect(await snapshotTree(await open(), [])).toBe(before);
    commit();
    expect(await snapshotTree(await open(), [])).toBe(before);
    expect(await treeWithout(await open(), 'HEAD', [])).toBe(before);
  });

  it('sees a file that was deleted, one that became a link, and a mode that changed', async () => {
    write('gone', 'x');
    write('linked', 'x');
    write('script', 'x');
    commit();
    sandbox.git(name, 'rm', '--quiet', 'gone', 'linked');
    symlinkSync('/etc/passwd', sandbox.path(name, 'linked'));
    chmodSync(sandbox.path(name, 'script'), 0o755);
    const repository = await open();
    const tree = await snapshotTree(repository, []);
    expect(await listTree(repository, tree)).toMatchObject([
      { path: 'linked', mode: '120000' },
      { path: 'script', mode: '100755' },
    ]);
    expect(await readTreeFile(repository, tree, 'linked')).toBe('/etc/passwd');
  });

  it('works in a repository without a commit, on a detached head, and in a linked working tree', async () => {
    sandbox.emptyRepository(`${name} empty`);
    sandbox.write(`${name} empty/a`, '1');
    const empty = await Repository.open(sandbox.path(`${name} empty`));
    expect(await listTree(empty, await snapshotTree(empty, []))).toHaveLength(1);
    expect(await empty.commit('HEAD')).toBeUndefined();
    sandbox.git(name, 'checkout', '--quiet', '--detach');
    sandbox.git(name, 'worktree', 'add', '--quiet', '--detach', `../${name} linked`);
    sandbox.write(`${name} linked/only-here`, '1');
    const linked = await Repository.open(sandbox.path(`${name} linked`));
    expect(await listTree(linked, await snapshotTree(linked, []))).toMatchObject([{ path: 'only-here' }]);
  });
});

describe('trees', () => {
  it('are compared by path, with files of any name', async () => {
    write('same', '1');
    write('changed', '1');
    write('gone\nnewline', '1');
    commit();
    const repository = await open();
    const before = await snapshotTree(repository, []);
    write('changed', '2');
    write('-n', 'new');
    sandbox.git(name, 'rm', '--quiet', 'gone\nnewline');
    const after = await snapshotTree(repository, []);
    expect(await changedPaths(repository, before, after)).toEqual([
      { path: '-n', change: 'added' },
      { path: 'changed', change: 'modified' },
      { path: 'gone\nnewline', change: 'deleted' },
    ]);
  });

  it('can be laid over each other, path by path', async () => {
    write('src/a', 'base');
    write('test/a', 'base');
    const repository = await open();
    const base = await snapshotTree(repository, []);
    write('src/a', 'candidate');
    write('test/a', 'candidate');
    write('test/b', 'candidate');
    const candidate = await snapshotTree(repository, []);
    const laid = await overlayTree(repository, base, candidate, ['test/a', 'test/b', 'not there']);
    expect(await readTreeFile(repository, laid, 'src/a')).toBe('base');
    expect(await readTreeFile(repository, laid, 'test/a')).toBe('candidate');
    expect(await paths(laid)).toEqual(['src/a', 'test/a', 'test/b']);
  });

  it('give single files to a folder', async () => {
    write('deep/er/a', 'text');
    write('b', 'text');
    const repository = await open();
    const tree = await snapshotTree(repository, []);
    const target = sandbox.path(`${name} target`);
    mkdirSync(target);
    await exportFiles(repository, tree, ['deep/er/a'], target);
    expect(existsSync(`${target}/deep/er/a`)).toBe(true);
    expect(existsSync(`${target}/b`)).toBe(false);
  });
});

describe('[VERIFY-6] a hostile repository', () => {
  const mark = () => sandbox.path(`${name} HACKED`);

  it.each([
    ['a clean filter', ['filter.evil.clean', 'filter.evil.smudge']],
    ['a filter process that is required', ['filter.evil.process', 'filter.evil.required']],
    ['a filter whose name has dots, spaces and an equals sign', ['filter.e.v = il.clean']],
  ])('runs nothing through %s', async (_what, settings) => {
    const program = sandbox.write(`${name} evil.sh`, `#!/bin/sh\ntouch '${mark()}'\ncat\n`);
    chmodSync(program, 0o755);
    for (const setting of settings)
      sandbox.git(name, 'config', setting, setting.endsWith('required') ? 'true' : `'${program}'`);
    const filter = settings[0]?.split('.').slice(1, -1).join('.') ?? '';
    if (!filter.includes(' ')) write('.gitattributes', `* filter=${filter}\n`);
    write('file', 'content');
    const repository = await open();
    const tree = await snapshotTree(repository, []);
    const target = sandbox.path(`${name} target`);
    mkdirSync(target);
    await exportFiles(repository, tree, ['file'], target);
    expect(await readTreeFile(repository, tree, 'file')).toBe('content');
    expect(existsSync(mark())).toBe(false);
  });

  it('runs nothing through its diff and text conversion programs, hooks, monitor and aliases', async () => {
    const program = sandbox.write(`${name} evil.sh`, `#!/bin/sh\ntouch '${mark()}'\n`);
    chmodSync(program, 0o755);
    write('.gitattributes', '* diff=evil\n');
    write('file', '1');
    commit();
    for (const setting of [
      'diff.evil.textconv',
      'diff.evil.command',
      'diff.external',
      'core.fsmonitor',
      'core.pager',
      'alias.add',
      'alias.write-tree',
      'core.hooksPath',
      'core.sshCommand',
      'gpg.program',
      'sequence.editor',
    ])
      sandbox.git(name, 'config', setting, setting.startsWith('alias') ? `!${program}` : program);
    for (const hook of ['post-index-change', 'reference-transaction', 'post-checkout', 'pre-commit']) {
      writeFileSync(sandbox.path(name, '.git', 'hooks', hook), `#!/bin/sh\ntouch '${mark()}'\n`, {
        mode: 0o755,
      });
    }
    const repository = await open();
    const before = await snapshotTree(repository, []);
    write('file', '2');
    const after = await snapshotTree(repository, []);
    await repository.run(['diff', '--no-ext-diff', '--no-textconv', before, after]);
    await repository.run([
      'worktree',
      'add',
      '--quiet',
      '--detach',
      '--no-checkout',
      sandbox.path(`${name} tree`),
      'HEAD',
    ]);
    expect(existsSync(mark())).toBe(false);
  });

  it('cannot point git at other files than those that are here', async () => {
    write('here', '1');
    sandbox.write(`${name} elsewhere/there`, '1');
    sandbox.git(name, 'config', 'core.worktree', sandbox.path(`${name} elsewhere`));
    const repository = await open();
    expect(await paths(await snapshotTree(repository, []))).toEqual(['here']);
    sandbox.git(name, 'config', '--unset', 'core.worktree');
    sandbox.git(name, 'config', 'core.bare', 'true');
    expect(await paths(await snapshotTree(await open(), []))).toEqual(['here']);
  });

  it('cannot have one object stand in for another', async () => {
    write('file', 'true');
    commit();
    const repository = await open();
    const real = sandbox.git(name, 'rev-parse', 'HEAD:file');
    write('other', 'false');
    const fake = sandbox.git(name, 'hash-object', '-w', 'other');
    sandbox.git(name, 'replace', real, fake);
    expect(await readTreeFile(repository, 'HEAD', 'file')).toBe('true');
  });

  it('reports git’s error when git fails', async () => {
    const repository = await open();
    await expect(repository.run(['cat-file', 'blob', 'nowhere'])).rejects.toMatchObject({
      code: 'git.failed',
      message: expect.stringContaining('nowhere') as string,
    });
    await expect(Repository.open(sandbox.path('outside'))).rejects.toMatchObject({
      code: 'git.not-a-repository',
    });
  });

  it('is asked for commits by names that are taken as names', async () => {
    const repository = await open();
    expect(await repository.commit('--all')).toBeUndefined();
    expect(await repository.commit('HEAD')).toMatch(/^[0-9a-f]{40}$/);
    expect(await repository.commit('HEAD^{tree}')).toBeUndefined();
  });
});

describe('several answers of git in one go', () => {
  it('are kept apart, in order, though one of them is empty', async () => {
    write('a', '1');
    commit('One');
    const repository = await open();
    const head = sandbox.git(name, 'rev-parse', 'HEAD');
    const said = await repository.runEach([
      ['rev-parse', 'HEAD'],
      ['diff-tree', 'HEAD', 'HEAD'],
      ['ls-tree', '-z', '--name-only', 'HEAD'],
    ]);
    expect(said).toEqual([`${head}\n`, '', 'a\0']);
    await expect(repository.runEach([['rev-parse', 'HEAD'], ['no-such-command']])).rejects.toThrow(
      /no-such-command/,
    );
  });

  it('are the texts of files with any content', async () => {
    const texts = ['', '\n', 'no end', `${'0'.repeat(40)} missing\n`, 'blob 3\nabc\n', 'ünï\0\r\n\n'];
    for (const [index, text] of texts.entries()) write(`f${index}`, text);
    commit();
    const repository = await open();
    const entries = (await listTree(repository, 'HEAD')).filter(({ path }) => /^f\d$/.test(path));
    const objects = entries.map(({ object }) => object);
    const read = await readBlobs(repository, [...objects, ...objects]);
    expect(objects.map((object) => read.get(object))).toEqual(texts);
    expect(await readBlobs(repository, [])).toEqual(new Map());
    const [first = ''] = objects;
    expect(await readBlobs(repository, ['1'.repeat(40), first])).toEqual(new Map([[first, '']]));
  });
});
