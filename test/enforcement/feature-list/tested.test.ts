import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { findWork } from '../../../src/config/work/find-work.ts';
import type { Outcome, Verification } from '../../../src/domain/entities/verification.ts';
import { OUTSIDE_THE_TREE } from '../../../src/domain/protection/project-paths.ts';
import { adoptFeatureList } from '../../../src/enforcement/feature-list/adopt-feature-list.ts';
import { reconcileFeatureList } from '../../../src/enforcement/feature-list/reconcile-feature-list.ts';
import {
  closeFeature,
  recordVerification,
} from '../../../src/enforcement/feature-list/record-verification.ts';
import { refreshTested } from '../../../src/enforcement/feature-list/refresh-tested.ts';
import { snapshotTree } from '../../../src/platform/git/git-tree.ts';
import { Repository } from '../../../src/platform/git/repository.ts';
import { openSqlite } from '../../../src/platform/open-sqlite.ts';
import { mergeListedFeatures } from '../../../src/verification/definition/merge-listed-features.ts';
import { agent, ListedProject, PERSON, PROJECT } from './list-fixture.ts';

let project: ListedProject;

beforeEach(() => {
  project = new ListedProject();
  git('init', '--quiet');
  change('src/a.js', 'export const a = 1;\n');
  project.write({ features: [{ id: 'F1', description: 'Log in', acceptance_criteria: ['logs in'] }] });
  reconcileFeatureList(project.context, PERSON);
});

function git(...args: string[]): void {
  execFileSync('git', args, { cwd: project.context.checkout });
}

function change(path: string, text: string): void {
  const file = join(project.context.checkout, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

async function tree(): Promise<string> {
  return snapshotTree(await Repository.open(project.context.checkout), OUTSIDE_THE_TREE);
}

async function verified(outcome: Outcome, fields: Partial<Verification> = {}): Promise<Verification> {
  return {
    id: 'VER-1',
    feature_id: 'F1',
    task_id: null,
    tree: await tree(),
    base_commit: 'b'.repeat(40),
    definition_hash: 'd',
    outcome,
    gates: [
      {
        gate: 'tests',
        result: outcome,
        required: true,
        reason: '',
        warnings: [],
        manual: false,
        evidence: ['EV-1', 'EV-1'],
      },
    ],
    sandbox: null,
    duration_ms: 1,
    ...fields,
  };
}

/** A feature that only the list has, as verification gets it. */
function work() {
  const empty = { tasks: [], features: [], faults: [] };
  return findWork(mergeListedFeatures(empty, [project.recorded('F1') ?? []].flat()), 'F1');
}

async function verify(outcome: Outcome, fields: Partial<Verification> = {}) {
  return recordVerification(project.context, agent(), work(), await verified(outcome, fields));
}

describe('a verification', () => {
  it('that passes sets tested in ledger and list, with its evidence [DONE-1]', async () => {
    await verify('pass');
    expect(project.recorded('F1')).toMatchObject({
      tested: true,
      evidence: ['VER-1', 'EV-1'],
      tested_tree: await tree(),
      tested_in: project.context.checkout,
    });
    expect(project.listed('F1')).toMatchObject({ tested: true, evidence: ['VER-1', 'EV-1'] });
    expect(project.entries('verification_recorded')).toHaveLength(1);
    expect(project.entries('features_recorded').at(-1)?.body.by).toBe('verification');
    expect(reconcileFeatureList(project.context, agent('tester')).faults).toEqual([]);
  });

  it.each(['fail', 'absent'] as const)('with the outcome %s clears tested', async (outcome) => {
    await verify('pass');
    await verify(outcome, { id: 'VER-2' });
    expect(project.listed('F1')).toMatchObject({ tested: false, evidence: [] });
    expect(project.recorded('F1')?.tested_tree).toBeNull();
  });

  it('of one task does not change the feature', async () => {
    await verify('pass', { task_id: 'TASK-1' });
    expect(project.recorded('F1')?.tested).toBe(false);
    expect(project.entries('verification_recorded')).toHaveLength(1);
  });

  it('first reverts what an agent wrote into the list meanwhile', async () => {
    project.edit('F1', { evidence: ['VER-9'] });
    await verify('fail');
    expect(project.entries('violation_recorded')).toHaveLength(1);
    expect(project.listed('F1')).toMatchObject({ tested: false, evidence: [] });
  });

  it('records nothing if its own entry is invalid', async () => {
    await expect(verify('pass', { definition_hash: 7 as never })).rejects.toThrow();
    expect(project.recorded('F1')?.tested).toBe(false);
  });

  it('takes criteria and complexity from the ledger, and no commands from the list', () => {
    const { feature, tasks } = work();
    expect(tasks).toMatchObject([{ id: 'F1', criteria: [{ id: 'AC-001', text: 'logs in' }] }]);
    expect(feature).toMatchObject({ name: 'Log in', complexity: 5 });
    expect(feature).not.toHaveProperty('verify');
  });
});

describe('after a file change', () => {
  it('a tested feature is untested in ledger and list [DONE-1]', async () => {
    await verify('pass');
    expect(await refreshTested(project.context, PERSON)).toEqual({ stale: [], false: [] });
    change('src/a.js', 'export const a = 2;\n');
    expect(await refreshTested(project.context, PERSON)).toEqual({ stale: ['F1'], false: [] });
    expect(project.listed('F1')).toMatchObject({ tested: false, evidence: [] });
    expect(project.recorded('F1')).toMatchObject({ tested: false, tested_tree: null });
  });

  it('outside the tree it is still tested', async () => {
    await verify('pass');
    change('.guardkit/logs/today.log', 'x\n');
    project.edit('F1', { status: 'completed' });
    expect(await refreshTested(project.context, agent('coding'))).toEqual({ stale: [], false: [] });
    expect(project.listed('F1')).toMatchObject({ tested: true, status: 'completed' });
  });

  it('in another checkout it is still tested', async () => {
    await verify('pass');
    const other = project.other();
    execFileSync('git', ['init', '--quiet'], { cwd: other.context.checkout });
    expect(await refreshTested(other.context, PERSON)).toEqual({ stale: [], false: [] });
    expect(project.recorded('F1')?.tested).toBe(true);
  });

  it('a merged feature is still tested, whatever status an agent sets', async () => {
    await verify('pass');
    project.edit('F1', { status: 'completed' });
    reconcileFeatureList(project.context, agent('coding'));
    change('src/b.js', 'export const b = 1;\n');
    closeFeature(project.context, PERSON, work(), 'merged');
    expect(await refreshTested(project.context, PERSON)).toEqual({ stale: [], false: [] });
    expect(project.recorded('F1')).toMatchObject({ tested: true, status: 'completed', closed: true });
    await verify('fail', { id: 'VER-2' });
    expect(project.recorded('F1')).toMatchObject({ tested: false, closed: false });
  });

  it('an agent’s status completed does not keep it tested', async () => {
    await verify('pass');
    project.edit('F1', { status: 'completed' });
    reconcileFeatureList(project.context, agent('coding'));
    change('src/a.js', 'export const a = 3;\n');
    expect((await refreshTested(project.context, agent('coding'))).stale).toEqual(['F1']);
  });
});

it('tested written into the ledger’s table is cleared, with a violation if an agent acts', async () => {
  const database = openSqlite(project.context.ledger.path);
  const forge = () => database.exec(`UPDATE features SET body = json_set(body, '$.tested', json('true'))`);
  forge();
  expect(await refreshTested(project.context, PERSON)).toEqual({ stale: [], false: ['F1'] });
  expect(project.entries('violation_recorded')).toEqual([]);
  forge();
  database.close();
  expect(await refreshTested(project.context, agent())).toEqual({ stale: [], false: ['F1'] });
  expect(project.recorded('F1')?.tested).toBe(false);
  expect(project.listed('F1')?.tested).toBe(false);
  expect(project.entries('violation_recorded')).toHaveLength(1);
});

describe('adopting a list', () => {
  it('keeps tested only with evidence for the current tree', async () => {
    const fresh = new ListedProject();
    project = fresh;
    git('init', '--quiet');
    change('src/a.js', 'export const a = 1;\n');
    const record = async (fields: Partial<Verification>) =>
      fresh.context.ledger.append(PROJECT, 'verification_recorded', await verified('pass', fields));
    await record({ id: 'VER-1', feature_id: 'F1' });
    await record({ id: 'VER-2', feature_id: 'F2', tree: 'f'.repeat(40) });
    await record({ id: 'VER-3', feature_id: 'F3' });
    await record({ id: 'VER-4', feature_id: 'F3', outcome: 'fail' });
    await record({ id: 'VER-5', feature_id: 'F5', task_id: 'TASK-1' });
    fresh.write({
      features: ['F1', 'F2', 'F3', 'F4', 'F5', 'F6'].map((id) => ({ id, tested: id !== 'F6' })),
    });
    const adopted = await adoptFeatureList(fresh.context, PERSON);
    expect(adopted).toMatchObject({ proven: ['F1'], unproven: ['F2', 'F3', 'F4', 'F5'] });
    expect(fresh.list().features.filter(({ tested }) => tested)).toMatchObject([
      { id: 'F1', evidence: ['VER-1', 'EV-1'] },
    ]);
  });
});
