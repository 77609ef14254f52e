import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { lockRun } from '../../../../src/orchestration/run/lock-run.ts';
import type { RunJson } from '../../../e2e/killed-run.ts';
import { CRASH, type PlayedFeature, RunProject, testedTurn, turnOf } from '../../../support/run-project.ts';
import { TWELVE_CONFIG } from '../../../support/twelve-features.ts';

const made: RunProject[] = [];
afterAll(() => {
  for (const project of made) project.cleanup();
});

function projectOf(
  features: readonly PlayedFeature[],
  more: Readonly<Record<string, string>> = TWELVE_CONFIG,
  extra: object = {},
): RunProject {
  const project = new RunProject(features, more, extra);
  made.push(project);
  return project;
}

/** A file, and a check that looks for it and for what it needs. */
function file(id: string, needs: readonly string[] = [], turns?: readonly unknown[]): PlayedFeature {
  const all = [...needs, id].map((one) => `test -s ${one}.txt`).join(' && ');
  const check = `${id} is there`;
  return {
    id,
    needs,
    type: 'documentation',
    verify: { checks: [{ name: check, command: all }] },
    turns: turns ?? [turnOf({ [`${id}.txt`]: 'here\n' }, check)],
  };
}

const empty = (id: string) => turnOf({ [`${id}.txt`]: '' }, `${id} is there`);

async function run(project: RunProject, args: readonly string[] = []) {
  const result = await project.guardkit(project.runArguments(args));
  try {
    return { ...result, json: JSON.parse(result.stdout) as RunJson & { error?: { code: string } } };
  } catch {
    throw new Error(`no document (exit ${result.exitCode}): ${result.stdout}${result.stderr}`);
  }
}

const ids = (items: readonly { feature: string }[]) => items.map(({ feature }) => feature);

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
    const { '.claude/progress/session-state.json': _told, ...files } = project.checkout().files as object & {
      [path: string]: string;
    };
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
      left: [{ feature: 'F3', why: 'it depends on F9, which does not exist' }],
    });
    expect(project.git('branch', '--list', 'guardkit/*')).toBe('');
  });

  it('stops after as many features as were asked for, and the next one stands on what is not merged yet', async () => {
    const project = projectOf([file('F1'), file('F2', ['F1'])]);
    const first = await run(project, ['--max-features', '1']);
    expect(first.json).toMatchObject({ reason: 'max_features', left: [{ feature: 'F2' }] });
    const second = await run(project);
    expect(second.json.reason, second.stderr).toBe('all_done');
    expect(ids(second.json.done)).toEqual(['F2']);
    expect(second.json.branch).not.toBe(first.json.branch);
    expect(project.git('merge-base', '--is-ancestor', first.json.tip, second.json.branch)).toBe('');
  });

  it('builds only what was named, and refuses a name that is none', async () => {
    const project = projectOf([file('F1'), file('F2'), file('F3')]);
    const { json, exitCode } = await run(project, ['--features', 'F3,F1']);
    expect(ids(json.done)).toEqual(['F1', 'F3']);
    expect(exitCode).toBe(0);
    const slip = await run(project, ['--features', 'F22']);
    expect(slip.exitCode).toBe(2);
    expect(slip.json.error?.code).toBe('run.unknown-feature');
  });

  it('is refused while another one holds the project, with who that is [RUN-2]', async () => {
    const project = projectOf([file('F1')]);
    const lock = await lockRun(project.sandbox.home, 'calc-1234');
    try {
      const { exitCode, json, stdout } = await run(project);
      expect(exitCode).toBe(1);
      expect(json.error?.code).toBe('run.taken');
      expect(stdout).toContain(`process ${process.pid}`);
    } finally {
      lock.release();
    }
  });

  it('builds what only the list has, by what the list says of it', async () => {
    const check = '- {name: it is there, command: test -s listed.txt}';
    const config = { '.guardkit/config.yaml': `project: calc-1234\nverify:\n  checks:\n    ${check}\n` };
    const project = projectOf([{ id: 'L1', turns: [turnOf({ 'listed.txt': 'x' }, 'it is there')] }], config);
    project.git('rm', '--quiet', '.guardkit/features/L1.yaml');
    project.sandbox.commit(project.name, 'Without files');
    const added = await project.guardkit(
      [
        'feature',
        'add',
        'A text',
        '--id',
        'L1',
        '--type',
        'documentation',
        '--criterion',
        'AC-001: a text is there',
      ],
      { person: true },
    );
    expect(added.exitCode, added.stderr).toBe(0);
    const { json, stderr } = await run(project);
    expect(json.reason, stderr).toBe('all_done');
    const listed = readFileSync(project.path('.claude/progress/feature-list.json'), 'utf8');
    expect(JSON.parse(listed).features).toMatchObject([{ id: 'L1', status: 'completed', tested: true }]);
  });
});

describe('what does not come out well', () => {
  it('is tried twice, then blocked with what was tried and a question; unblocked, the next run tries again [RUN-1]', async () => {
    const project = projectOf([
      file('F1', [], [empty('F1'), CRASH, empty('F1'), file('F1').turns[0]]),
      file('F2', ['F1']),
    ]);
    const first = await run(project);
    expect(first.exitCode).toBe(1);
    expect(first.json.left).toEqual([{ feature: 'F2', why: 'it depends on F1, which is blocked' }]);
    const [dossier] = first.json.blocked;
    expect(dossier?.attempts.map(({ attempt }) => attempt)).toEqual([1, 2]);
    expect(dossier?.attempts[0]?.why).toMatch(/F1 is there: exit 1/);
    expect(dossier?.question).toContain('F1');
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
  });

  it('and is reopened at the end starts afresh in the next run, with the reason', async () => {
    const breaks = turnOf({ 'F2.txt': 'here\n', 'F1.txt': '' }, 'F2 is there');
    const features = [file('F1'), { ...file('F2'), needs: ['F1'], turns: [breaks] }];
    const project = projectOf(features.map((one) => ({ ...one, verify: file(one.id).verify })));
    const first = await run(project);
    expect(ids(first.json.done)).toEqual(['F2']);
    expect(first.json.reopened).toMatchObject([
      { feature: 'F1', why: expect.stringContaining('F1 is there') },
    ]);
    const second = await run(project);
    expect(second.json.reason, second.stderr).toBe('all_done');
    expect(ids(second.json.done)).toEqual(['F1']);
    expect(project.git('show', `${second.json.branch}:F1.txt`)).toBe('here');
  });

  it('by its own definition keeps no other feature from being built', async () => {
    const project = projectOf([file('F1'), file('F2')]);
    project.write({ '.guardkit/features/F2.yaml': 'id: F2\nname: [not, a, name]\n' });
    project.commit('A slip');
    const { json, stderr } = await run(project);
    expect(ids(json.done)).toEqual(['F1']);
    expect(stderr).toContain('.guardkit/features/F2.yaml');
  });

  it('for want of money stops the run, and nothing counts as failed', async () => {
    const paid = { ...(file('F1').turns[0] as { player: object }) };
    const turns = [{ ...paid, player: { ...paid.player, cost_usd: 3 } }];
    const project = projectOf([file('F1', [], turns), file('F2')]);
    const { json, exitCode } = await run(project, ['--budget-usd', '1']);
    expect(exitCode).toBe(1);
    expect(json).toMatchObject({ reason: 'budget', done: [], blocked: [], cost_usd: 3 });
    const kinds = project.entries().map(({ kind }) => kind);
    expect(kinds).not.toContain('attempt_failed');
  });

  it('for a rate limit that lasts longer than the run ends it at once, and the attempt is not lost', async () => {
    const good = file('F1').turns[0] as { player: object };
    const limited = { ...good, player: { ...good.player, fail: 'rate_limit', resets_in_seconds: 7200 } };
    const project = projectOf([file('F1', [], [limited, good])]);
    const until = new Date(Date.now() + 3_600_000).toISOString();
    const { json } = await run(project, ['--until', until]);
    expect(json).toMatchObject({ reason: 'until', done: [], blocked: [], left: [{ feature: 'F1' }] });
    const second = await run(project);
    expect(ids(second.json.done), second.stderr).toEqual(['F1']);
    expect(project.entries().some(({ kind }) => kind === 'attempt_failed')).toBe(false);
  });
});
