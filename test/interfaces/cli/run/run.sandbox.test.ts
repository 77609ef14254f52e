import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { lockRun } from '../../../../src/orchestration/feature-build/build-locks.ts';
import { CRASH, testedTurn } from '../../../support/run-project.ts';
import { further } from '../../../support/thorough.ts';
import { empty, file, ids, projectOf, run } from './file-features.ts';

describe('a run', () => {
  it('builds features on top of each other with their tests, on one branch, and leaves what is a person’s alone [RUN-1]', async () => {
    const project = projectOf(
      [
        {
          id: 'F1',
          turns: [
            testedTurn(
              'one',
              "import { zero } from './zero.js';\nexport const one = zero + 1;\n",
              'one',
              '1',
            ),
          ],
        },
        {
          id: 'F2',
          needs: ['F1'],
          turns: [
            testedTurn('two', "import { one } from './one.js';\nexport const two = one + one;\n", 'two', '2'),
          ],
        },
      ],
      {},
    );
    project.workInProgress();
    const before = project.checkout();
    const { json, exitCode, stderr } = await run(project);
    expect(exitCode, stderr).toBe(0);
    expect(json).toMatchObject({ reason: 'all_done', blocked: [], reopened: [], left: [] });
    expect(ids(json.done)).toEqual(['F1', 'F2']);
    expect(project.git('ls-tree', '-r', '--name-only', json.branch)).toContain('src/two.js');
    const state = JSON.parse(readFileSync(project.path('.claude/progress/session-state.json'), 'utf8'));
    expect(state).toMatchObject({ session_id: json.session, state: 'ended', feature: null });
    const {
      '.claude/progress/session-state.json': _state,
      '.claude/progress/feature-list.json': _list,
      ...files
    } = project.checkout().files as object & { [path: string]: string };
    expect({ ...project.checkout(), files }).toEqual(before);
    const listed = JSON.parse((await project.guardkit(['feature', 'list', '--json'])).stdout);
    expect(JSON.stringify(listed)).not.toContain('"tested":false');
  });

  it('says with --dry-run what it would build in which order, and begins nothing', async () => {
    const project = projectOf([file('F1', ['F2']), file('F2'), file('F3', ['F9'])]);
    const { json, exitCode } = await run(project, ['--dry-run']);
    expect(exitCode).toBe(0);
    expect(json).toMatchObject({
      order: ['F2', 'F1'],
      left: [{ feature: 'F3', why: expect.stringContaining('F9') }],
    });
    expect(project.git('branch', '--list', 'guardkit/*')).toBe('');
  });

  it('is refused while another one holds the project, with who that is [RUN-2]', async () => {
    const project = projectOf([file('F1')]);
    const lock = await lockRun(project.sandbox.home, 'calc-1234');
    try {
      const { exitCode, json, stdout } = await run(project);
      expect(exitCode).toBe(1);
      expect(json.error?.code).toBe('run.taken');
      expect(stdout).toContain(String(process.pid));
    } finally {
      lock.release();
    }
  });
});

describe('what does not come out well', () => {
  further(
    'is tried twice, then blocked with what was tried and a question; unblocked, the next run tries again [RUN-1]',
    async () => {
      const project = projectOf([
        file('F1', [], [empty('F1'), CRASH, empty('F1'), file('F1').turns[0]]),
        file('F2', ['F1']),
      ]);
      const first = await run(project);
      expect(first.exitCode).toBe(1);
      expect(first.json.left).toEqual([{ feature: 'F2', why: expect.stringContaining('F1') }]);
      const [dossier] = first.json.blocked;
      expect(dossier?.attempts.map(({ attempt }) => attempt)).toEqual([1, 2]);
      expect(dossier?.attempts[0]?.why).toContain('F1 is there');
      expect(dossier?.question).toContain('F1');
      // In the morning, the same is asked of the feature.
      const shown = (await project.guardkit(['feature', 'show', 'F1'])).stdout;
      expect(shown).toMatch(/\b1\b[\s\S]*F1 is there[\s\S]*\b2\b/);
      expect(shown).toContain(dossier?.question.slice(0, 40));
      const again = await run(project);
      expect(again.json).toMatchObject({ reason: 'nothing_runnable', done: [], blocked: [] });
      const freed = await project.guardkit(['feature', 'unblock', 'F1', '--reason', 'The check is right'], {
        person: true,
        input: 'y\n',
      });
      expect(freed.exitCode, freed.stderr).toBe(0);
      const last = await run(project);
      expect(last.json.reason, last.stderr).toBe('all_done');
      expect(ids(last.json.done)).toEqual(['F1', 'F2']);
    },
  );

  further(
    'for a rate limit that lasts longer than the run ends it at once, and the attempt is not lost',
    async () => {
      const good = file('F1').turns[0] as { player: object };
      const limited = { ...good, player: { ...good.player, fail: 'rate_limit', resets_in_seconds: 7200 } };
      const project = projectOf([file('F1', [], [limited, good])]);
      const until = new Date(Date.now() + 3_600_000).toISOString();
      const { json } = await run(project, ['--until', until]);
      expect(json).toMatchObject({ reason: 'until', done: [], blocked: [], left: [{ feature: 'F1' }] });
      const second = await run(project);
      expect(ids(second.json.done), second.stderr).toEqual(['F1']);
      expect(project.entries().some(({ kind }) => kind === 'attempt_failed')).toBe(false);
    },
  );
});
