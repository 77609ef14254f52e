import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  gitCommandAliases,
  gitCommandPatterns,
  isGitCommand,
} from '../../../src/enforcement/shell/git-command.ts';

const CHANGING = [
  'git checkout main',
  'git -C sub checkout x',
  'git-checkout x',
  '/usr/bin/git switch -c feature',
  'cd a && git pull --rebase',
  '"git" stash pop',
  'GIT_EDITOR=true git rebase --continue',
  'gh pr checkout 12',
  'git cherry-pick abc',
  'git worktree add ../x',
  'b=checkout; git $b main',
  'git apply < x.patch',
  'git\tmerge x',
  'git sparse-checkout set src',
  "eval 'git reset --hard' < /dev/null",
];

const OTHERS = [
  'git status',
  'git add -A && git commit -m "one name"',
  'git log --oneline',
  'npm run clean',
  'cd ~/github/x && npm test',
  'cat digits/checkout.txt',
  'echo resetting the digit',
  'git diff HEAD~1 -- src',
];

/** The launcher's test. */
function inShell(texts: readonly string[]): boolean[] {
  const [program, command] = gitCommandPatterns();
  const script = `for text; do case " $text " in ${program}) case " $text " in ${command}) echo git; continue ;; esac ;; esac; echo no; done`;
  const { stdout } = spawnSync('/bin/sh', ['-c', script, 'sh', ...texts], { encoding: 'utf8' });
  return stdout
    .trim()
    .split('\n')
    .map((line) => line === 'git');
}

describe('a command that changes the work tree', () => {
  it.each(CHANGING)('is found in %s', (text) => {
    expect(isGitCommand(text)).toBe(true);
    expect(inShell([text])).toEqual([true]);
  });

  it.each(OTHERS)('is not found in %s', (text) => {
    expect(isGitCommand(text)).toBe(false);
    expect(inShell([text])).toEqual([false]);
  });

  it('is found by the launcher exactly when GuardKit finds it', () => {
    const word = fc.constantFrom(
      'git',
      'gh',
      'checkout',
      'am',
      'clean',
      'x',
      '-',
      ' ',
      "'",
      '\n',
      '/',
      '_',
      '"',
      '.',
    );
    const texts = fc.sample(
      fc.array(word, { maxLength: 8 }).map((words) => words.join('')),
      300,
    );
    expect(inShell(texts)).toEqual(texts.map((text) => isGitCommand(text)));
  });

  it('is found under the person’s alias for it', () => {
    const aliases = gitCommandAliases([
      { key: 'alias.co', value: 'checkout' },
      { key: 'alias.up', value: '!git fetch && git rebase' },
      { key: 'alias.st', value: 'status' },
      { key: 'alias.a|b', value: 'checkout' },
    ]);
    expect(aliases).toEqual(['co', 'up']);
    expect(isGitCommand('git co main')).toBe(false);
    expect(isGitCommand('git co main', aliases)).toBe(true);
  });
});
