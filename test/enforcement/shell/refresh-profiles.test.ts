import { existsSync, mkdirSync, readFileSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { readOnlyPaths } from '../../../src/enforcement/shell/profile-file.ts';
import { refreshProfiles } from '../../../src/enforcement/shell/refresh-profiles.ts';
import { shellFolder } from '../../../src/enforcement/shell/shell-folder.ts';
import { bubblewrap } from '../../support/bubblewrap.ts';
import { WrappedProject } from './wrapped-project.ts';

beforeEach(async (context) => {
  await bubblewrap(context);
});

/** The mounts of a profile. */
function mounts(project: WrappedProject, profile: 'ordinary' | 'git'): Record<string, string> {
  const words = readFileSync(shellFolder(project.data, project.gitFolder).profiles[profile], 'latin1').split(
    '\0',
  );
  const found: Record<string, string> = {};
  for (const [index, word] of words.entries())
    if (/^--(?:ro-)?bind-try$/.test(word)) found[String(words[index + 2])] = word;
  return found;
}

const READ_ONLY = '--ro-bind-try';
const WRITABLE = '--bind-try';

describe('the profiles', () => {
  it('are written once, and again only after a relevant change', () => {
    const one = new WrappedProject();
    expect(one.refresh().changed).toBe(true);
    expect(one.refresh().changed).toBe(false);
    one.write('src/other.js', '2\n');
    one.write('.claude/progress/more.json', '{}');
    expect(one.refresh().changed).toBe(false);
    one.write('tasks/deep/TASK-3.md', 'new\n');
    expect(one.refresh().changed).toBe(true);
    one.git('add', 'tasks');
    expect(one.refresh().changed).toBe(true);
    one.git('config', 'core.hooksPath', 'hooks');
    one.write('hooks/pre-commit', '');
    expect(one.refresh().changed).toBe(true);
    expect(mounts(one, 'ordinary')[one.path('hooks')]).toBe(READ_ONLY);
  });

  it('protect folders as a whole, and leave their data writable', () => {
    const one = new WrappedProject();
    mkdirSync(one.path('.guardkit/logs'));
    mkdirSync(join(one.home, '.claude/projects'));
    one.write('.claude/CLAUDE.md', 'notes\n');
    one.refresh();
    const ordinary = mounts(one, 'ordinary');
    expect(ordinary).toMatchObject({
      [one.path('.guardkit')]: READ_ONLY,
      [one.path('.guardkit/logs')]: WRITABLE,
      [one.path('tasks')]: READ_ONLY,
      [one.path('.claude')]: READ_ONLY,
      [one.path('.claude/progress')]: WRITABLE,
      [one.path('.claude/CLAUDE.md')]: WRITABLE,
      [one.path('.git')]: WRITABLE,
      [one.path('.git/hooks')]: READ_ONLY,
      [join(one.home, '.bashrc')]: READ_ONLY,
      [join(one.home, '.claude')]: READ_ONLY,
      [join(one.home, '.claude/projects')]: WRITABLE,
      [one.data]: READ_ONLY,
    });
    expect(ordinary[one.folder]).toBeUndefined();
    expect(ordinary[one.path('.claude/agents')]).toBeUndefined();
  });

  it('let git write tracked files, and protect the others', () => {
    const one = new WrappedProject();
    one.refresh();
    const git = mounts(one, 'git');
    expect(git).toMatchObject({
      [one.path('.claude/settings.local.json')]: READ_ONLY,
      [one.path('tasks/TASK-2.md')]: READ_ONLY,
      [one.path('tasks')]: WRITABLE,
      [one.path('.git/hooks')]: READ_ONLY,
      [one.data]: READ_ONLY,
    });
    for (const path of [
      '.guardkit',
      '.guardkit/config.yaml',
      'tasks/TASK-1.md',
      '.claude/progress/list.json',
    ])
      expect(git[one.path(path)]).toBeUndefined();
  });

  it('show a copy of the folder that husky rewrites whenever packages are installed', () => {
    const one = new WrappedProject();
    one.write('.husky/pre-commit', 'true\n');
    one.git('add', '.husky');
    one.write('.husky/_/.gitignore', '*');
    one.write('.husky/_/pre-commit', '. ../pre-commit\n');
    one.git('config', 'core.hooksPath', '.husky/_');
    one.refresh();
    const install = 'cd .husky/_ && rm pre-commit && echo new | tee pre-commit post-commit && ls';
    const installed = one.run(install);
    expect(installed).toMatchObject({ status: 0, stdout: 'new\npost-commit\npre-commit\n' });
    expect(one.read('.husky/_/pre-commit')).toBe('. ../pre-commit\n');
    expect(existsSync(one.path('.husky/_/post-commit'))).toBe(false);
    expect(one.run('echo x >> .husky/pre-commit').status).toBe(1);
    for (const profile of Object.values(shellFolder(one.data, one.gitFolder).profiles))
      expect(readOnlyPaths(profile)(one.path('.husky/_/pre-commit'))).toBe(true);
    one.write('.husky/_/h', 'true\n');
    one.refresh();
    expect(one.run('ls .husky/_').stdout).toBe('h\npre-commit\n');
  });

  it('report missing paths, which cannot be protected', () => {
    const one = new WrappedProject();
    unlinkSync(one.path('tasks/TASK-1.md'));
    unlinkSync(one.path('tasks/TASK-2.md'));
    one.run('true');
    one.git('rm', '-q', '--cached', 'tasks/TASK-1.md');
    const tasks = one.path('tasks');
    expect(existsSync(tasks)).toBe(true);
    one.git('clean', '-fdq', 'tasks');
    expect(one.refresh().unprotected).toContain(tasks);
    expect(existsSync(tasks)).toBe(false);
  });

  it('protect nested agent folders, tracked or not', () => {
    const one = new WrappedProject();
    one.write('packages/ui/.claude/agents/x.md', 'x\n');
    one.write('packages/api/.claude/settings.json', '{}\n');
    one.git('add', 'packages/ui');
    one.refresh();
    expect(mounts(one, 'ordinary')).toMatchObject({
      [one.path('packages/ui/.claude')]: READ_ONLY,
      [one.path('packages/api/.claude')]: READ_ONLY,
    });
    expect(mounts(one, 'git')[one.path('packages/api/.claude/settings.json')]).toBe(READ_ONLY);
    expect(mounts(one, 'git')[one.path('packages/ui/.claude/agents/x.md')]).toBeUndefined();
  });

  it('follow links, but never make the whole home folder or project read-only', () => {
    const one = new WrappedProject();
    const skills = join(one.top, 'dotfiles');
    mkdirSync(skills);
    writeFileSync(join(skills, 'zshrc'), '');
    symlinkSync(join(skills, 'zshrc'), join(one.home, '.zshrc'));
    symlinkSync(skills, one.path('.claude/skills'));
    symlinkSync(one.home, one.path('.codex'));
    symlinkSync('/', one.path('.gemini'));
    one.refresh();
    const ordinary = mounts(one, 'ordinary');
    expect(ordinary[skills] ?? ordinary[join(skills, 'zshrc')]).toBe(READ_ONLY);
    expect(ordinary[one.home]).toBeUndefined();
    expect(ordinary['/']).toBeUndefined();
    expect(one.run(`echo x > ${one.home}/.zshrc`).status).toBe(1);
    expect(one.run('echo x > src/a.js').status).toBe(0);
  });

  it('protect `protected:` paths by folder, by file and by pattern', () => {
    const one = new WrappedProject({ globs: ['infra/**', 'deploy.sh', 'src/**/*.lock', '../up', '/abs'] });
    one.write('infra/main.tf', 'x\n');
    one.write('deploy.sh', 'x\n');
    one.write('src/deep/a.lock', 'x\n');
    one.git('add', '-A');
    one.refresh();
    for (const path of ['infra/main.tf', 'infra/new.tf', 'deploy.sh', 'src/deep/a.lock'])
      expect(one.run(`echo y > ${path}`).status).toBe(1);
    expect(one.run('echo y > src/deep/b.js').status).toBe(0);
    expect(one.run('echo y > deploy.sh # git restore').status).toBe(0);
  });

  it('protect files whose names are not UTF-8', () => {
    const one = new WrappedProject();
    const name = Buffer.concat([
      Buffer.from(one.path('tasks/TASK-')),
      Buffer.from([0xff, 0xfe]),
      Buffer.from(' \n.md'),
    ]);
    writeFileSync(name, 'untracked\n');
    one.refresh();
    one.run(`for f in tasks/TASK-*; do echo changed > "$f"; done # git checkout`);
    expect(readFileSync(name, 'utf8')).toBe('untracked\n');
    expect(one.read('tasks/TASK-2.md')).toBe('untracked\n');
    expect(one.read('tasks/TASK-1.md')).toBe('changed\n');
  });

  it('cover every checkout, and are the same from each of them', () => {
    const one = new WrappedProject();
    const tree = join(one.top, 'tree');
    one.git('worktree', 'add', '-q', tree);
    one.refresh();
    const first = readFileSync(shellFolder(one.data, one.gitFolder).profiles.git);
    expect(mounts(one, 'ordinary')).toMatchObject({
      [join(tree, '.guardkit')]: READ_ONLY,
      [join(tree, '.git')]: READ_ONLY,
      [one.path('.guardkit')]: READ_ONLY,
    });
    const git = { ...one.gitFolder, root: tree, gitDir: one.path('.git/worktrees/tree') };
    const context = { ...one.shellContext(), checkout: tree, git, otherCheckouts: [one.folder] };
    expect(refreshProfiles(context).changed).toBe(false);
    expect(readFileSync(shellFolder(one.data, git).profiles.git).equals(first)).toBe(true);
  });

  it('take at most a few milliseconds while nothing changes', () => {
    const one = new WrappedProject();
    for (let index = 0; index < 40; index++) one.write(`tasks/t${index}/TASK-${index}0.md`, 'x\n');
    one.refresh();
    const context = one.shellContext();
    const times = Array.from({ length: 30 }, () => {
      const start = performance.now();
      refreshProfiles(context);
      return performance.now() - start;
    }).sort((a, b) => a - b);
    expect(times[3]).toBeLessThan(3);
  });
});
