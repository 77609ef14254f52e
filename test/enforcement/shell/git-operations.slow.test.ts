import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { bubblewrap } from '../../support/bubblewrap.ts';
import { sample } from '../../support/thorough.ts';
import { WrappedProject } from './wrapped-project.ts';

beforeEach(async (context) => {
  await bubblewrap(context);
});

/** Two branches with different definitions, agents and hooks: added, removed and changed files and modes. */
function branches(): WrappedProject {
  const one = new WrappedProject();
  one.write('.husky/pre-commit', 'echo main\n');
  one.write('.guardkit/guards/only-main.yaml', 'x: 1\n');
  one.git('add', '.husky', '.guardkit');
  one.git('commit', '-qm', 'main');
  one.git('checkout', '-qb', 'other');
  one.write('.guardkit/config.yaml', 'project: shop\nmode: other\n');
  one.write('.guardkit/guards/b.yaml', 'b: 1\n');
  one.write('tasks/backlog/TASK-7.md', 'seven\n');
  one.write('.claude/agents/other.md', 'other\n');
  one.write('.claude/skills/s/SKILL.md', 'skill\n');
  one.write('.husky/pre-commit', 'echo other\n');
  one.write('src/b.js', '2\n');
  one.git('rm', '-q', 'tasks/TASK-1.md', '.guardkit/guards/only-main.yaml');
  one.git('update-index', '--chmod=+x', '.guardkit/guards/a.yaml');
  one.git('add', '.guardkit', 'tasks/backlog', '.claude/agents', '.claude/skills', '.husky', 'src');
  one.git('commit', '-qm', 'other');
  one.git('checkout', '-qf', 'main');
  one.write('src/c.js', '3\n');
  one.git('add', 'src');
  one.git('commit', '-qm', 'more');
  return one;
}

/** The result of git: files with their modes, the index, HEAD and the status. */
function outcome(folder: string, env: NodeJS.ProcessEnv): unknown {
  const git = (...args: string[]) => spawnSync('git', args, { cwd: folder, env, encoding: 'utf8' }).stdout;
  const files: Record<string, string> = {};
  const visit = (path: string) => {
    for (const entry of readdirSync(join(folder, path), { withFileTypes: true })) {
      const relative = join(path, entry.name);
      if (relative === '.git') continue;
      const full = join(folder, relative);
      if (entry.isDirectory()) visit(relative);
      else files[relative] = `${statSync(full).mode & 0o111 ? 'x' : '-'} ${readFileSync(full, 'utf8')}`;
    }
  };
  visit('.');
  return {
    files,
    status: git('status', '--porcelain', '-uall'),
    tree: git('rev-parse', 'HEAD^{tree}'),
    branch: git('symbolic-ref', '-q', 'HEAD'),
    staged: git('ls-files', '-s'),
    stash: git('stash', 'list', '--format=%gs'),
    config: git('config', '--local', '--list'),
  };
}

const OPERATIONS = [
  'git checkout -q other',
  'git checkout -q other && git checkout -q main',
  'git switch -q other',
  'git merge -q --no-edit other',
  'git merge --no-ff -q -m m other && git reset -q --hard HEAD~1',
  'git checkout -qb feature && echo 5 > src/a.js && git commit -qam feature && git rebase -q other',
  'git rebase -q other',
  'echo 7 > src/a.js && git stash -q && git stash pop -q',
  'echo dirty > tasks/TASK-1.md && git stash -q && git stash pop -q',
  'git pull -q --no-rebase --no-edit . other',
  'git pull -q --rebase . other',
  'git cherry-pick other',
  'git cherry-pick --no-commit other && git reset -q --hard',
  'git merge -q --no-edit other && git revert --no-edit -m 1 HEAD',
  'git checkout -q other -- .guardkit tasks',
  'git restore -q --source other .claude/agents .guardkit/config.yaml',
  'git checkout -q --orphan fresh',
  'git read-tree -u --reset other',
  'git diff main other | git apply',
  'git format-patch -q -1 --stdout other | git am -q',
  'git bisect start -q HEAD HEAD~2 && git bisect good -q && git bisect reset -q',
  'git branch new && git branch -m new newer && git branch -D newer && git checkout -q -',
  'git remote add o /x && git tag v1 && git gc -q && git checkout -q v1',
  'git -C src switch -q other',
  'git clean -fdq src',
];

describe('git in the wrapper', () => {
  it.each(sample(3, OPERATIONS))('gives the same result as without it: %s', (command) => {
    const one = branches();
    const control = join(one.top, 'control');
    cpSync(one.folder, control, { recursive: true });
    one.refresh();
    const wrapped = one.run(command);
    const plain = spawnSync('bash', ['-c', command], { cwd: control, env: one.env(), encoding: 'utf8' });
    expect(wrapped.status).toBe(plain.status);
    expect(wrapped.stderr).not.toMatch(/read-only|busy|unable to/i);
    expect(outcome(one.folder, one.env())).toEqual(outcome(control, one.env()));
  });

  it.each([
    'git commit --allow-empty -qm x',
    'git add -A && git commit -qm all',
    'git branch n && git branch -m n m && git branch -D m',
    'git fetch -q . main:copy && git tag v1 && git push -q . main:pushed',
    'git config user.name Bob && git remote add o /x',
    'git gc -q && git fsck --no-progress',
    'git log --oneline && git diff && git status',
  ])('needs only the ordinary profile for: %s', (command) => {
    const one = branches();
    one.refresh();
    const { status, stderr } = one.run(command);
    expect([status, stderr.replace(/notice.*/g, '')]).toEqual([0, '']);
  });

  it('adds and removes worktrees, which are protected from the next command on', () => {
    const one = branches();
    one.refresh();
    const tree = join(one.top, 'tree');
    expect(one.run(`git worktree add -q ${tree} other`).status).toBe(0);
    one.refresh();
    expect(one.run('echo x > .guardkit/config.yaml', { cwd: tree }).status).toBe(1);
    expect(one.run('git checkout -q -b more main', { cwd: tree }).status).toBe(0);
    expect(one.run(`git worktree remove ${tree}`).status).toBe(0);
    expect(existsSync(tree)).toBe(false);
  });

  it('leaves an untracked task that another branch tracks, as git does', () => {
    const one = branches();
    mkdirSync(one.path('tasks/backlog'), { recursive: true });
    one.write('tasks/backlog/TASK-7.md', 'mine\n');
    one.refresh();
    expect(one.run('git checkout -q other').status).not.toBe(0);
    expect(one.read('tasks/backlog/TASK-7.md')).toBe('mine\n');
    expect(one.git('status', '--porcelain').trim()).not.toContain(' M');
  });
});
