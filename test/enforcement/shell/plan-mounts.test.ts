import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { planMounts, type ShellFacts } from '../../../src/enforcement/shell/plan-mounts.ts';
import { sandboxProfile } from '../../../src/enforcement/shell/profile-file.ts';

const FACTS: ShellFacts = {
  checkouts: [
    {
      root: '/p',
      protected: [
        { path: '/p/.guardkit', writable: ['/p/.guardkit/logs'] },
        { path: '/p/tasks', writable: [] },
      ],
      untracked: ['/p/tasks/deep/TASK-2.md', '/elsewhere/skill'],
    },
  ],
  locked: ['/home/a/.bashrc', '/p/.git/hooks', '/data'],
  pinned: ['/p/.git'],
  covered: [{ source: '/data/tmux', target: '/tmp/tmux-1', writable: true }],
};

const shown = (mounts: ReturnType<typeof planMounts>['git']) =>
  mounts.map(({ target, writable }) => `${writable ? 'rw' : 'ro'} ${target}`);

describe('the mount plan', () => {
  it('makes folders read-only for ordinary commands', () => {
    expect(shown(planMounts(FACTS).ordinary)).toEqual([
      'ro /data',
      'ro /elsewhere/skill',
      'ro /home/a/.bashrc',
      'rw /p/.git',
      'ro /p/.git/hooks',
      'ro /p/.guardkit',
      'rw /p/.guardkit/logs',
      'ro /p/tasks',
      'rw /tmp/tmux-1',
    ]);
  });

  it('makes only untracked files read-only for git commands, and pins their folders', () => {
    expect(shown(planMounts(FACTS).git)).toEqual([
      'ro /data',
      'ro /elsewhere/skill',
      'ro /home/a/.bashrc',
      'rw /p/.git',
      'ro /p/.git/hooks',
      'rw /p/tasks',
      'rw /p/tasks/deep',
      'ro /p/tasks/deep/TASK-2.md',
      'rw /tmp/tmux-1',
    ]);
  });

  it('mounts every folder before its content, and each path once', () => {
    const path = fc.array(fc.constantFrom('a', 'b', 'a b', 'a.', "'", '-'), { minLength: 1, maxLength: 4 });
    const paths = fc.array(
      path.map((parts) => `/p/${parts.join('/')}`),
      { maxLength: 12 },
    );
    fc.assert(
      fc.property(paths, paths, paths, (closed, open, locked) => {
        const facts: ShellFacts = {
          ...FACTS,
          checkouts: [
            { root: '/p', protected: closed.map((one) => ({ path: one, writable: open })), untracked: open },
          ],
          locked,
        };
        for (const mounts of Object.values(planMounts({ ...facts, covered: [] }))) {
          const targets = mounts.map(({ target }) => target);
          expect(new Set(targets).size).toBe(targets.length);
          for (const [index, target] of targets.entries())
            for (const earlier of targets.slice(0, index))
              expect(earlier.startsWith(`${target}/`)).toBe(false);
          // A locked path is read-only by itself or by the nearest parent.
          for (const one of locked) {
            const nearest = mounts.findLast(({ target }) => one === target || one.startsWith(`${target}/`));
            expect(nearest?.writable).toBe(false);
          }
        }
      }),
    );
  });

  it('becomes a macOS profile in which later rules decide', () => {
    const text = sandboxProfile(planMounts(FACTS).ordinary, FACTS).toString('latin1');
    expect(text.indexOf('(deny file-write* (subpath "/p/.guardkit"))')).toBeLessThan(
      text.indexOf('(allow file-write* (subpath "/p/.guardkit/logs"))'),
    );
    expect(text).toContain('(deny file-write-unlink (literal "/p/.git"))');
    const odd = sandboxProfile([{ source: '/a"\\b', target: '/a"\\b', writable: false }], { pinned: [] });
    expect(odd.toString('latin1')).toContain('(subpath "/a\\"\\\\b")');
  });
});
