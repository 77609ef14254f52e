import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { CRASH, definitionOf, turnOf } from '../../../support/run-project.ts';
import { file, ids, projectOf, run } from './file-features.ts';

describe('a run', () => {
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

  it('though it was approved is built afresh: what the gates say on the branch is what counts', async () => {
    const project = projectOf([file('F1')]);
    project.sandbox.noSandbox = 'this test counts what is run';
    const count = project.sandbox.path('count');
    // The second time it is run, which is after the approval, it fails.
    const command = `echo x >> ${count}; test -s F1.txt && test "$(wc -l < ${count})" -ne 2`;
    const feature = { ...file('F1'), verify: { checks: [{ name: 'F1 is there', command }] } };
    project.write({ '.guardkit/features/F1.yaml': definitionOf(feature) });
    project.commit('A check that counts');
    const { json, stderr } = await run(project);
    expect(json.reason, stderr).toBe('all_done');
    const entries = project.entries();
    expect(entries.filter(({ kind }) => kind === 'attempt_failed')).toMatchObject([
      { body: { failure: { outcome: 'fail', gates: ['checks'] } } },
    ]);
    expect(entries.some(({ kind }) => kind === 'task_reset')).toBe(true);
  });

  it('for an agent that says nothing for one feature after the other is no feature’s fault: the run rests', async () => {
    const project = projectOf([file('F1', [], [CRASH]), file('F2', [], [CRASH]), file('F3', [], [CRASH])]);
    const { exitCode, json } = await run(project, ['--max-turns', '3']);
    expect(exitCode).toBe(3);
    expect(json.error?.code).toBe('run.agent-silent');
    const state = JSON.parse(readFileSync(project.path('.claude/progress/session-state.json'), 'utf8'));
    expect(state).toMatchObject({ state: 'paused', feature: 'F2', attempt: 1 });
    const blocked = project.entries().filter(({ kind }) => kind === 'feature_blocked');
    expect(blocked.map(({ body }) => body.feature_id)).toEqual(['F1']);
  });
});

it('a feature that was built by hand and disagrees with what the run has is built afresh on top of it', async () => {
  const writes = (id: string) =>
    turnOf({ [`${id}.txt`]: 'here\n', 'shared.txt': `${id}\n` }, `${id} is there`);
  const project = projectOf([file('F1', [], [writes('F1')]), file('F2', [], [writes('F2')])]);
  const args = ['--driver', 'script', '--scenario', project.scenarioFile, '--max-turns', '1'];
  const byHand = await project.guardkit(['feature-build', 'F2', ...args]);
  expect(byHand.exitCode, byHand.stderr).toBe(0);
  const { json, exitCode, stderr } = await run(project);
  expect(exitCode, stderr).toBe(0);
  expect(ids(json.done)).toEqual(['F1', 'F2']);
  expect(stderr).toMatch(/▶ F2\n! F2 [^▶]*✗ merge [^▶]*▶ F2, .*shared\.txt\n/);
  const failed = project.entries().filter(({ kind }) => kind === 'attempt_failed');
  expect(failed.map(({ body }) => body)).toMatchObject([
    {
      feature_id: 'F2',
      failure: { gates: ['merge'], why: expect.stringContaining('shared.txt') },
    },
  ]);
  expect(project.git('show', `${json.branch}:shared.txt`)).toBe('F2');
});
