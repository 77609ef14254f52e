import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { snapshotTree } from '../../../src/platform/git/git-tree.ts';
import { Repository } from '../../../src/platform/git/repository.ts';
import { setupKey } from '../../../src/verification/workspaces/kept-setups.ts';
import { openVerificationWorkspace } from '../../../src/verification/workspaces/open-verification-workspace.ts';
import type { VerificationWorkspace } from '../../../src/verification/workspaces/verification-workspace.ts';
import { BARE_WORKSPACE } from '../../../src/verification/workspaces/workspace-state.ts';
import { Sandbox } from '../../support/cli.ts';

const sandbox = new Sandbox();
afterAll(() => sandbox.cleanup());

let count = 0;
let name = '';
let repository: Repository;
let commit = '';
beforeEach(async () => {
  name = `p${++count}`;
  sandbox.repository(name);
  repository = await Repository.open(sandbox.path(name));
  commit = (await repository.commit('HEAD')) ?? '';
  mkdirSync(workspaces(), { recursive: true });
});

const workspaces = () => sandbox.path(`${name} rooms`);
const open = () => openVerificationWorkspace(repository, workspaces(), commit);
const tree = (files: Record<string, string>) => {
  for (const [path, text] of Object.entries(files)) sandbox.write(`${name}/${path}`, text);
  return snapshotTree(repository, []);
};
const within = (workspace: VerificationWorkspace, path: string) => join(workspace.folder, path);

describe('after a repository was renamed', () => {
  const files = () => readdirSync(workspaces()).filter((file) => !file.endsWith('.lock'));
  const listed = () =>
    execFileSync('git', ['worktree', 'list', '--porcelain'], { cwd: repository.root, encoding: 'utf8' });

  it('its earlier workspaces are removed, and those of a copied repository stay', async () => {
    const files1 = await tree({ 'a.txt': '1' });
    const first = await open();
    await first.place(files1, commit);
    first.release();
    const before = files();
    const copy = `${name}-copy`;
    cpSync(sandbox.path(name), sandbox.path(copy), { recursive: true });
    repository = await Repository.open(sandbox.path(copy));
    (await open()).release();
    expect(files()).toEqual(expect.arrayContaining(before));
    rmSync(sandbox.path(copy), { recursive: true });
    renameSync(sandbox.path(name), sandbox.path(`${name}-new`));
    repository = await Repository.open(sandbox.path(`${name}-new`));
    const workspace = await open();
    workspace.release();
    expect(files().every((file) => join(workspaces(), file).startsWith(workspace.folder))).toBe(true);
    expect(listed().match(/^worktree .*verify-/gm)).toHaveLength(1);
  });

  it('a workspace whose folder is gone is created again', async () => {
    const workspace = await open();
    workspace.release();
    rmSync(workspace.folder, { recursive: true });
    const again = await open();
    await again.place(await tree({ 'a.txt': '1' }), commit);
    expect(existsSync(within(again, 'a.txt'))).toBe(true);
    again.release();
  });
});

describe('a workspace', () => {
  it('has exactly the files of its tree, whatever was done to it before', async () => {
    const before = await tree({ 'a.txt': '1', 'src/b.txt': '1' });
    const workspace = await open();
    await workspace.place(before, commit);
    writeFileSync(within(workspace, 'a.txt'), 'changed');
    rmSync(within(workspace, 'src'), { recursive: true });
    writeFileSync(within(workspace, 'new.txt'), 'left over');
    mkdirSync(within(workspace, 'dist'));
    symlinkSync('/etc', within(workspace, 'src'));
    rmSync(within(workspace, '.git'));
    mkdirSync(within(workspace, '.git'));
    const after = await tree({ 'c.txt': '1' });
    await workspace.place(after, commit);
    expect(readdirSync(workspace.folder).sort()).toEqual(['.git', 'a.txt', 'c.txt', 'src']);
    expect(readFileSync(within(workspace, 'a.txt'), 'utf8')).toBe('1');
    expect(readFileSync(within(workspace, 'src/b.txt'), 'utf8')).toBe('1');
    workspace.release();
  });

  it('has no task files, which a formatter of the project would refuse', async () => {
    const task = '---\nid: TASK-001\ntitle: Add\n---\n';
    const files = await tree({
      'tasks/TASK-001-add.md': task,
      'tasks/backlog/TASK-002.md': task,
      'tasks/build.js': '1',
      'tasks/TASK-003.md': 'notes of the project',
      'docs/TASK-001.md': task,
    });
    const workspace = await open();
    await workspace.place(files, commit);
    expect(readdirSync(within(workspace, 'tasks')).sort()).toEqual(['TASK-003.md', 'build.js']);
    expect(existsSync(within(workspace, 'docs/TASK-001.md'))).toBe(true);
    const differences = execFileSync('git', ['diff', '--name-only'], {
      cwd: workspace.folder,
      encoding: 'utf8',
    });
    expect(differences).toBe('');
    await workspace.place(await tree({ 'tasks/TASK-003.md': task, 'tasks/build.js': task }), commit);
    expect(readdirSync(within(workspace, 'tasks'))).toEqual(['build.js']);
    workspace.release();
  });

  it('is recreated after its whole folder was deleted', async () => {
    const files = await tree({ 'a.txt': '1' });
    const workspace = await open();
    await workspace.place(files, commit);
    rmSync(workspace.folder, { recursive: true });
    await workspace.place(files, commit);
    expect(readFileSync(within(workspace, 'a.txt'), 'utf8')).toBe('1');
    workspace.release();
  });

  it('is exclusive while it is open, and reused afterwards', async () => {
    const first = await open();
    const second = await open();
    expect(second.folder).not.toBe(first.folder);
    first.release();
    const third = await open();
    expect(third.folder).toBe(first.folder);
    second.release();
    third.release();
  });

  it('keeps installed dependencies, empties their caches, and drops the rest', async () => {
    const files = await tree({ '.gitignore': 'node_modules\ndist\n', 'a.txt': '1' });
    const workspace = await open();
    await workspace.place(files, commit);
    mkdirSync(within(workspace, 'node_modules/.cache'), { recursive: true });
    writeFileSync(within(workspace, 'node_modules/.cache/x'), 'x');
    writeFileSync(within(workspace, 'node_modules/dep.js'), 'x');
    mkdirSync(within(workspace, 'dist'));
    workspace.remember({ ...BARE_WORKSPACE, setupKey: 'k', dependencyFolders: ['node_modules'] });
    await workspace.place(files, commit);
    expect(existsSync(within(workspace, 'node_modules/dep.js'))).toBe(true);
    expect(readdirSync(within(workspace, 'node_modules/.cache'))).toEqual([]);
    expect(existsSync(within(workspace, 'dist'))).toBe(false);
    workspace.release();
    const again = await open();
    expect(again.state.setupKey).toBe('k');
    await again.place(files, commit, 'nothing');
    expect(existsSync(within(again, 'node_modules'))).toBe(false);
    again.release();
  });

  it('of another clone of the project is not touched', async () => {
    const workspace = await open();
    await workspace.place(await tree({ a: '1' }), commit);
    workspace.release();
    sandbox.git(name, 'clone', '--quiet', '.', `../${name}-clone`);
    const clone = await Repository.open(sandbox.path(`${name}-clone`));
    const other = await openVerificationWorkspace(clone, workspaces(), (await clone.commit('HEAD')) ?? '');
    expect(other.folder).not.toBe(workspace.folder);
    other.release();
  });

  it('has the files of a submodule at the commit in the tree', async () => {
    sandbox.repository(`${name}-sub`);
    sandbox.write(`${name}-sub/inside.txt`, 'sub');
    sandbox.git(`${name}-sub`, 'add', '.');
    sandbox.commit(`${name}-sub`, 'Add');
    sandbox.git(
      name,
      '-c',
      'protocol.file.allow=always',
      'submodule',
      '--quiet',
      'add',
      sandbox.path(`${name}-sub`),
      'vendor/sub',
    );
    sandbox.write(`${name}/vendor/sub/inside.txt`, 'changed and not committed');
    const workspace = await open();
    await workspace.place(await snapshotTree(repository, []), commit);
    expect(readFileSync(within(workspace, 'vendor/sub/inside.txt'), 'utf8')).toBe('sub');
    workspace.release();
  });

  it('has the files of each commit of a submodule in turn, without what commands left there', async () => {
    const source = `${name}-moving`;
    sandbox.repository(source);
    const commitFile = (path: string) => {
      sandbox.write(`${source}/${path}`, path);
      sandbox.git(source, 'add', '.');
      sandbox.commit(source, `Add ${path}`);
    };
    commitFile('first.txt');
    const allow = ['-c', 'protocol.file.allow=always'];
    const add = ['submodule', '--quiet', 'add', '--name', 'first/place', sandbox.path(source), 'data'];
    sandbox.git(name, ...allow, ...add);
    const before = await snapshotTree(repository, []);
    commitFile('second.txt');
    sandbox.git(`${name}/data`, ...allow, 'pull', '--quiet');
    const after = await snapshotTree(repository, []);
    const workspace = await open();
    const listed = () => readdirSync(within(workspace, 'data')).sort();
    await workspace.place(before, commit);
    expect(listed()).toEqual(['first.txt']);
    writeFileSync(within(workspace, 'data/first.txt'), 'changed by a command');
    writeFileSync(within(workspace, 'data/left.txt'), '');
    await workspace.place(after, commit);
    expect(listed()).toEqual(['first.txt', 'second.txt']);
    expect(readFileSync(within(workspace, 'data/first.txt'), 'utf8')).toBe('first.txt');
    await workspace.place(before, commit);
    expect(listed()).toEqual(['first.txt']);
    rmSync(within(workspace, 'data'), { recursive: true });
    symlinkSync(sandbox.path(source), within(workspace, 'data'));
    await workspace.place(after, commit);
    expect(listed()).toEqual(['first.txt', 'second.txt']);
    expect(lstatSync(within(workspace, 'data')).isSymbolicLink()).toBe(false);
    workspace.release();
  });
});

describe('the key of a set-up', () => {
  const key = async (files: Record<string, string>, command = 'npm ci') =>
    setupKey(repository, await tree(files), command);

  it('depends on the lock file and the command, not on code, other scripts or the version', async () => {
    const start = await key({
      'package.json': '{"version":"1","dependencies":{"a":"1"}}',
      'package-lock.json': '{}',
    });
    expect(
      await key({
        'src/a.js': '1',
        'package.json': '{"version":"2","scripts":{"x":"y"},"dependencies":{"a":"1"}}',
      }),
    ).toBe(start);
    expect(await key({}, 'npm install')).not.toBe(start);
    expect(await key({ 'package-lock.json': '{"a":1}' })).not.toBe(start);
  });

  it('also depends on every script that an installation runs, and on an invalid package.json', async () => {
    const start = await key({ 'package.json': '{}' });
    const scripts = await key({ 'package.json': '{"scripts":{"postinstall":"x"}}' });
    expect(scripts).not.toBe(start);
    expect(await key({ 'package.json': '[' })).not.toBe(await key({ 'package.json': '[[' }));
  });
});
