import { linkSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { realPath } from '../../src/guards/real-path.ts';
import { GuardedProject, LIST } from './guarded-project.ts';

const project = new GuardedProject();
afterAll(() => project.cleanup());
const { root, home, dataFolder } = project;
const context = project.paths();

symlinkSync(join(root, '.claude'), join(root, 'src', 'link'));
symlinkSync('../.claude/progress/feature-list.json', join(root, 'src', 'data.json'));
symlinkSync('/proc/self/cwd', join(root, 'here'));
symlinkSync('/usr', join(root, 'src', 'out'));
symlinkSync('.claude/progress', join(root, 'sub'));
linkSync(join(root, LIST), join(root, 'src', 'hard.json'));
linkSync(join(root, 'src', 'index.ts'), join(root, 'src', 'twin.ts'));
mkdirSync(join(root, '.claude', 'progress', 'deep'));
symlinkSync('.claude/progress/deep', join(root, 'deep'));

describe('a path is resolved to the feature list', () => {
  it.each([
    ['by its name', LIST],
    ['absolutely', join(root, LIST)],
    ['through `..`', `src/../${LIST}`],
    ['with double slashes and dots', `.//.claude/./progress//feature-list.json`],
    ['with a trailing slash', `${LIST}/`],
    ['through a link to a folder', 'src/link/progress/feature-list.json'],
    ['through a link to the file', 'src/data.json'],
    ['through a hard link', 'src/hard.json'],
    ['through /proc/self/cwd', `/proc/self/cwd/${LIST}`],
    ['through /proc/thread-self/cwd', `/proc/thread-self/cwd/${LIST}`],
    ['through /proc/self/root', `/proc/self/root${root}/${LIST}`],
    ['through a link to /proc/self/cwd', `here/${LIST}`],
    ['from a folder behind a link', 'deep/../feature-list.json'],
    ['as a file URL', `file://${join(root, LIST)}`],
    ['from the home folder', `~/shop/${LIST}`],
    ['by a program that takes `~` literally', `~/../${LIST}`],
    ['by a program that takes a URL literally', `file:///../${LIST}`],
    ['by a program that removes `..` before it follows links', `src/out/../../${LIST}`],
    ['by a program that decodes it', LIST.replace('progress', '%70rogress')],
    ['by a program that drops a leading @', `@${LIST}`],
    ['by a program that drops @/', `@/${LIST}`],
    ['by a program that drops NUL characters', LIST.replace('claude', 'cl\0aude')],
  ])('%s', (_how, path) => {
    expect(realPath(path, context)).toMatchObject({ protectedAs: 'feature-list' });
  });

  it('from a folder below the project', () => {
    const below = project.paths('src');
    expect(realPath(`../${LIST}`, below)).toMatchObject({
      given: `../${LIST}`,
      inProject: LIST,
      protectedAs: 'feature-list',
    });
  });

  it('when it does not exist yet', () => {
    const other = new GuardedProject();
    expect(realPath('nowhere/../.claude/progress/feature-list.json', other.paths())).toMatchObject({
      protectedAs: 'feature-list',
    });
    other.cleanup();
  });

  it.each([
    '.cl*/progress/feature-list.json',
    '.claude/progress/*.json',
    '.claude/[p]rogress/f*',
    '.c?aude/*/feature*',
  ])('as a match of the pattern %s', (pattern) => {
    expect(realPath(pattern, context, { glob: true })).toMatchObject({ protectedAs: expect.any(String) });
  });
});

describe('protected:', () => {
  it.each([
    ['.claude/progress/session-state.json', 'session-state'],
    ['.guardkit/config.yaml', 'definition'],
    ['.guardkit', 'definition'],
    ['.guardkit/guards/new.yaml', 'definition'],
    ['tasks/backlog/TASK-001-login.md', 'definition'],
    ['.claude/settings.json', 'agent-settings'],
    ['.claude/settings.local.json', 'agent-settings'],
    ['packages/web/.claude/settings.json', 'agent-settings'],
    ['.claude/hooks/x.sh', 'agent-settings'],
    ['.mcp.json', 'agent-settings'],
    ['.codex/config.toml', 'agent-settings'],
    ['.github/lsp.json', 'agent-settings'],
    ['.github/extensions/x/extension.mjs', 'agent-settings'],
    ['.agents/skills/x/SKILL.md', 'agent-settings'],
    ['.git', 'git-internals'],
    ['.git/hooks/pre-push', 'git-internals'],
    ['.git/config', 'git-internals'],
    ['.git/refs/guardkit/FEAT-A/T1', 'git-internals'],
    ['~/.gitconfig', 'git-internals'],
    ['~/.claude/settings.json', 'agent-settings'],
    ['~/.claude/plugins/x/hooks/hooks.json', 'agent-settings'],
    ['~/.agents/skills/x/SKILL.md', 'agent-settings'],
    ['~/.codex/skills/x/SKILL.md', 'agent-settings'],
    ['~/.copilot/extensions/x/extension.mjs', 'agent-settings'],
    ['~/.copilot/session-state/s1/extensions/x/extension.mjs', 'agent-settings'],
    ['~/.gemini/extensions/x/gemini-extension.json', 'agent-settings'],
    ['~/.qwen/extensions/x/qwen-extension.json', 'agent-settings'],
    ['~/.guardkit/ledger.db', 'data'],
    ['~/.guardkit/bin/guardkit-hook', 'data'],
  ])('%s', (path, protection) => {
    expect(realPath(path, context).protectedAs).toBe(protection);
  });

  it('files in the configuration', () => {
    const globs = ['infra/', 'deploy/*.tf', 'Makefile'];
    const named = project.paths('.', globs);
    expect(
      ['infra/a/b.txt', 'deploy/main.tf', 'Makefile', 'deploy/x/main.tf', 'src/Makefile'].map(
        (path) => realPath(path, named).protectedAs,
      ),
    ).toEqual(['definition', 'definition', 'definition', undefined, undefined]);
  });
});

describe('not protected:', () => {
  it.each([
    'src/index.ts',
    'src/twin.ts',
    '.guardkit/logs/run.log',
    '.claude/progress/notes.md',
    'docs/feature-list.json',
    'tasks/README.md',
    'src/.claude/progress/feature-list.json',
    '.git/index',
    '.git/info/exclude',
    '~/.claude/projects/shop/memory/MEMORY.md',
    '/dev/stdout',
    '/dev/fd/3',
    '/proc/self/fd/3',
    '/dev/null',
  ])('%s', (path) => {
    expect(realPath(path, context).protectedAs).toBeUndefined();
  });

  it('a name in another case on a case-sensitive file system', () => {
    expect(realPath('.Claude/Progress/feature-list.json', context).protectedAs).toBeUndefined();
  });

  it('a file in a worktree in the data folder', () => {
    const worktree = join(dataFolder, 'worktrees', 'shop', 'FEAT-A');
    mkdirSync(worktree, { recursive: true });
    const there = { ...context, root: worktree, cwd: worktree, checkouts: [worktree, root] };
    expect(realPath('src/new.ts', there)).toMatchObject({ inProject: 'src/new.ts', protectedAs: undefined });
    expect(realPath('.guardkit/config.yaml', there).protectedAs).toBe('definition');
    expect(realPath('../FEAT-B/src/new.ts', there).protectedAs).toBe('data');
    expect(realPath(join(root, LIST), there).protectedAs).toBe('feature-list');
  });
});

describe('protected files are below', () => {
  it.each(['.', '.claude', '.claude/progress', 'tasks', 'tasks/backlog', '..', '/', '~'])('%s', (path) => {
    expect(realPath(path, context).protectedBelow).toBeDefined();
  });

  it.each(['src', 'test', 'tasks-old', '.claude/progress/deep', '.guardkit/logs'])('not %s', (path) => {
    expect(realPath(path, context).protectedBelow).toBeUndefined();
  });
});

it('a context sees paths that are created later', () => {
  const from = project.paths();
  expect(realPath('src/later/feature-list.json', from)).toMatchObject({ protectedAs: undefined });
  symlinkSync(join(root, '.claude', 'progress'), join(root, 'src', 'later'));
  expect(realPath('src/later/feature-list.json', from)).toMatchObject({ protectedAs: 'feature-list' });
});

it('a path that is too long for any system is still judged', () => {
  for (const path of [
    '',
    '\0',
    'a\0b',
    '/'.repeat(100_000),
    `${'../'.repeat(5000)}etc`,
    'x'.repeat(100_000),
    'file://%zz',
  ])
    expect(realPath(path, context).given).toBe(path);
});

it('other files in the person’s home are outside the project and not protected', () => {
  expect(realPath(join(home, 'other', 'src.ts'), context)).toMatchObject({
    inProject: undefined,
    protectedAs: undefined,
  });
});
