import {
  existsSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { FeatureWorktree } from '../../../src/orchestration/feature-build/feature-worktree.ts';
import { changedPaths } from '../../../src/platform/git/git-tree.ts';
import { Repository } from '../../../src/platform/git/repository.ts';
import { Sandbox } from '../../support/cli.ts';

const sandbox = new Sandbox();
afterAll(() => sandbox.cleanup());

let count = 0;
let name = '';
let main: Repository;
let base = '';
beforeEach(async () => {
  name = `p${++count}`;
  sandbox.repository(name);
  for (const [path, text] of Object.entries({
    'src/a.js': '1',
    '.guardkit/config.yaml': 'project: p',
    'tasks/TASK-001.md': 'task',
  }))
    sandbox.write(`${name}/${path}`, text);
  sandbox.git(name, 'add', '--all');
  sandbox.commit(name, 'Base');
  main = await Repository.open(sandbox.path(name));
  base = sandbox.git(name, 'rev-parse', 'HEAD');
});

const folder = () => sandbox.path(`${name} worktrees`, 'FEAT-1');
const open = () => FeatureWorktree.open(main, { folder: folder(), featureId: 'FEAT-1', base });
const write = (path: string, text: string) => writeFileSync(join(folder(), path), text);
const turn = (number: number) => ({
  taskId: 'TASK-001',
  number,
  base,
  message: `Turn ${number}`,
  quarantine: sandbox.path(`${name} quarantine`),
});

describe('the worktree of a feature [BUILD-3][BUILD-4]', () => {
  it('is on a branch of its own, and the person’s checkout stays as it is', async () => {
    sandbox.write(`${name}/src/a.js`, 'a person’s own change');
    const before = sandbox.git(name, 'status', '--porcelain', '--branch');
    const worktree = await open();
    write('src/a.js', '2');
    await worktree.commitTurn(turn(1));
    expect(worktree.branch).toBe('guardkit/FEAT-1');
    expect(sandbox.git(name, 'status', '--porcelain', '--branch')).toBe(before);
    expect(readFileSync(sandbox.path(name, 'src/a.js'), 'utf8')).toBe('a person’s own change');
  });

  it('works again after the repository’s folder was renamed', async () => {
    await open();
    renameSync(sandbox.path(name), sandbox.path(`${name}-new`));
    main = await Repository.open(sandbox.path(`${name}-new`));
    await open();
    expect(sandbox.git(`${name} worktrees/FEAT-1`, 'rev-parse', '--abbrev-ref', 'HEAD')).toBe(
      'guardkit/FEAT-1',
    );
  });

  it('commits every turn to its own ref, with all files that git would see', async () => {
    const worktree = await open();
    write('src/new.js', '1');
    const first = await worktree.commitTurn(turn(1));
    write('src/new.js', '2');
    const second = await worktree.commitTurn(turn(2));
    expect(sandbox.git(name, 'rev-parse', 'refs/guardkit/FEAT-1/TASK-001/T1')).toBe(first.commit);
    expect(sandbox.git(name, 'rev-parse', 'refs/guardkit/FEAT-1/TASK-001/T2')).toBe(second.commit);
    expect(sandbox.git(name, 'rev-parse', 'guardkit/FEAT-1')).toBe(second.commit);
    expect(sandbox.git(name, 'show', `${first.commit}:src/new.js`)).toBe('1');
    expect(await worktree.pending()).toEqual([]);
    expect(sandbox.git(name, 'log', '-1', '--format=%an', second.commit)).toBe('GuardKit');
  });

  it('reuses the current commit for a turn without changes', async () => {
    const worktree = await open();
    const { commit } = await worktree.commitTurn(turn(1));
    expect(commit).toBe(base);
    expect(sandbox.git(name, 'rev-parse', 'refs/guardkit/FEAT-1/TASK-001/T1')).toBe(base);
  });

  it('restores protected files, keeps copies and lists them', async () => {
    const worktree = await open();
    write('.guardkit/config.yaml', 'verify: {tests: {command: "true"}}');
    write('src/a.js', '2');
    rmSync(join(folder(), 'tasks/TASK-001.md'));
    sandbox.write(`${name} worktrees/FEAT-1/.claude/settings.json`, '{"disableAllHooks":true}');
    const { commit, restored } = await worktree.commitTurn(turn(1));
    expect(restored.sort()).toEqual(['.claude/settings.json', '.guardkit/config.yaml', 'tasks/TASK-001.md']);
    expect((await changedPaths(main, base, commit)).map(({ path }) => path)).toEqual(['src/a.js']);
    expect(readFileSync(join(folder(), '.guardkit/config.yaml'), 'utf8')).toBe('project: p');
    expect(readFileSync(join(folder(), 'tasks/TASK-001.md'), 'utf8')).toBe('task');
    expect(existsSync(join(folder(), '.claude/settings.json'))).toBe(false);
    const kept = join(turn(1).quarantine, '.claude/settings.json');
    expect(readFileSync(kept, 'utf8')).toContain('disableAllHooks');
  });

  it('restores protected files replaced by dangling links, turn after turn', async () => {
    const worktree = await open();
    for (const number of [1, 2]) {
      rmSync(join(folder(), '.guardkit/config.yaml'));
      symlinkSync('/nowhere/at/all', join(folder(), '.guardkit/config.yaml'));
      const { restored } = await worktree.commitTurn(turn(number));
      expect(restored).toEqual(['.guardkit/config.yaml']);
      expect(readFileSync(join(folder(), '.guardkit/config.yaml'), 'utf8')).toBe('project: p');
      expect(readlinkSync(join(turn(number).quarantine, '.guardkit/config.yaml'))).toBe('/nowhere/at/all');
    }
  });

  it('is reopened by a later process with its files', async () => {
    await open();
    write('src/a.js', 'unfinished');
    const again = await open();
    expect(await again.pending()).toEqual(['src/a.js']);
    rmSync(folder(), { recursive: true });
    const anew = await open();
    expect(await anew.pending()).toEqual([]);
  });

  it('keeps uncommitted work on a ref before it restores a turn', async () => {
    const worktree = await open();
    write('src/a.js', '2');
    const { commit } = await worktree.commitTurn(turn(1));
    write('src/a.js', '3');
    write('src/extra.js', 'x');
    await worktree.restore(commit, 'TASK-001', 17);
    expect(readFileSync(join(folder(), 'src/a.js'), 'utf8')).toBe('2');
    expect(existsSync(join(folder(), 'src/extra.js'))).toBe(false);
    expect(sandbox.git(name, 'show', 'refs/guardkit/FEAT-1/TASK-001/kept-17:src/extra.js')).toBe('x');
  });

  it('is not created in a folder that belongs to something else', async () => {
    sandbox.write(`${name} worktrees/FEAT-1/mine.txt`, 'x');
    await expect(open()).rejects.toMatchObject({ code: 'worktree.taken' });
  });
});
