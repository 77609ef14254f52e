import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { readTreeFile, snapshotTree } from '../../../src/platform/git/git-tree.ts';
import { lfsSettings } from '../../../src/platform/git/lfs-settings.ts';
import { Repository } from '../../../src/platform/git/repository.ts';
import { Sandbox } from '../../support/cli.ts';

const sandbox = new Sandbox();
afterAll(() => sandbox.cleanup());

let count = 0;
let name = '';
const at = (path: string) => sandbox.path(`${name}/${path}`);
const open = () => Repository.open(sandbox.path(name));
const hashOf = (content: Buffer | string) => createHash('sha256').update(content).digest('hex');
const storedAt = (content: Buffer | string) => {
  const oid = hashOf(content);
  return at(`.git/lfs/objects/${oid.slice(0, 2)}/${oid.slice(2, 4)}/${oid}`);
};
const pointerTo = (content: Buffer | string) =>
  `version https://git-lfs.github.com/spec/v1\noid sha256:${hashOf(content)}\nsize ${Buffer.byteLength(content)}\n`;
const store = (content: Buffer | string, under = content) => {
  mkdirSync(dirname(storedAt(under)), { recursive: true });
  writeFileSync(storedAt(under), content);
};

/** Commits files as a person with Git LFS does: git has the pointers, the working files the contents. */
function commitWithLfs(files: Readonly<Record<string, Buffer>>, attributes: string): void {
  sandbox.write(`${name}/.gitattributes`, attributes);
  for (const [path, content] of Object.entries(files)) {
    store(content);
    sandbox.write(`${name}/${path}`, pointerTo(content));
  }
  sandbox.git(name, 'add', '--all');
  sandbox.commit(name, 'Files in LFS');
  for (const [path, content] of Object.entries(files)) writeFileSync(at(path), content);
  // Would fail if git started it.
  sandbox.git(name, 'config', 'filter.lfs.process', 'false');
  sandbox.git(name, 'config', 'filter.lfs.required', 'true');
}

async function checkOut(tree: string): Promise<string> {
  const folder = sandbox.path(`${name} checked out`);
  sandbox.git(name, 'worktree', 'add', '--quiet', '--no-checkout', '--detach', folder);
  const repository = await Repository.open(folder);
  await repository.run(['read-tree', '--reset', '-u', tree]);
  return folder;
}

beforeEach(() => {
  name = `project ${++count}`;
  sandbox.repository(name);
});

const DATA = Buffer.from([...Array(200_000).keys()].map((number) => number % 251));

describe('a repository with Git LFS', () => {
  it('has its files with their contents in a checkout of GuardKit', async () => {
    commitWithLfs({ 'assets/data.bin': DATA }, '*.bin filter=lfs diff=lfs merge=lfs -text\n');
    const folder = await checkOut('HEAD');
    expect(readFileSync(join(folder, 'assets/data.bin')).equals(DATA)).toBe(true);
  });

  it('has the same tree in a snapshot as in the commit, whenever its files were written', async () => {
    commitWithLfs({ 'data.bin': DATA }, '*.bin filter=lfs -text\n');
    const repository = await open();
    const committed = (await repository.run(['rev-parse', 'HEAD^{tree}'])).trim();
    expect(await snapshotTree(repository, [])).toBe(committed);
  });

  it('has a changed file as a pointer in a snapshot, and its content in a checkout of it', async () => {
    commitWithLfs({ 'data.bin': DATA }, '*.bin filter=lfs -text\n');
    const changed = Buffer.concat([DATA, Buffer.from('more')]);
    writeFileSync(at('data.bin'), changed);
    writeFileSync(at('new.bin'), 'new');
    const repository = await open();
    const tree = await snapshotTree(repository, []);
    expect(await readTreeFile(repository, tree, 'data.bin')).toBe(pointerTo(changed));
    expect(readFileSync(storedAt(changed)).equals(changed)).toBe(true);
    const folder = await checkOut(tree);
    expect(readFileSync(join(folder, 'data.bin')).equals(changed)).toBe(true);
    expect(readFileSync(join(folder, 'new.bin'), 'utf8')).toBe('new');
    expect(readdirSync(at('.git/lfs/tmp'))).toEqual([]);
  });

  it('keeps the pointer of a file whose content is not on this machine or is another one', async () => {
    commitWithLfs({ 'gone.bin': DATA, 'forged.bin': Buffer.from('good') }, '*.bin filter=lfs -text\n');
    rmSync(storedAt(DATA));
    store('evil', 'good');
    const folder = await checkOut('HEAD');
    expect(readFileSync(join(folder, 'gone.bin'), 'utf8')).toBe(pointerTo(DATA));
    expect(readFileSync(join(folder, 'forged.bin'), 'utf8')).toBe(pointerTo('good'));
  });

  it('has code and settings in git as they run, since GuardKit reads them there', async () => {
    const attributes = '* filter=lfs -text\n.gitattributes !filter\n';
    const code = 'export const one = 1;\n';
    store(code);
    commitWithLfs({}, attributes);
    sandbox.write(`${name}/one.js`, code);
    sandbox.write(`${name}/package.json`, pointerTo(code));
    sandbox.write(`${name}/Makefile`, 'test:\n');
    const repository = await open();
    const tree = await snapshotTree(repository, []);
    expect(await readTreeFile(repository, tree, 'one.js')).toBe(code);
    expect(await readTreeFile(repository, tree, 'Makefile')).toBe('test:\n');
    const folder = await checkOut(tree);
    expect(readFileSync(join(folder, 'package.json'), 'utf8')).toBe(pointerTo(code));
  });

  it('keeps empty files, and pointers that are the content', async () => {
    commitWithLfs({}, '*.bin filter=lfs -text\n');
    sandbox.write(`${name}/empty.bin`, '');
    sandbox.write(`${name}/pointer.bin`, pointerTo(DATA));
    const repository = await open();
    const tree = await snapshotTree(repository, []);
    expect(await readTreeFile(repository, tree, 'empty.bin')).toBe('');
    expect(await readTreeFile(repository, tree, 'pointer.bin')).toBe(pointerTo(DATA));
  });
});

it('without Git LFS set up, files in LFS stay what they are for the person: pointers', () => {
  const folder = { root: '/r', gitDir: '/r/.git', commonDir: '/r/.git', name: 'r', shallow: false };
  expect(lfsSettings(['user.name', 'filter.lfsx.process', 'filter.lfs.required'], folder)).toBeUndefined();
  expect(lfsSettings(['filter.lfs.smudge'], folder)?.env).toMatchObject({
    GUARDKIT_LFS_STORE: '/r/.git/lfs',
  });
});
