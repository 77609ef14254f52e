import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { shownFeatures } from '../../../src/enforcement/feature-list/known-list.ts';
import { projectFeatures } from '../../../src/enforcement/feature-list/project-features.ts';
import { reconcileFeatureList } from '../../../src/enforcement/feature-list/reconcile-feature-list.ts';
import { agent, ListedProject, PERSON, PROJECT } from './list-fixture.ts';

const DEFINED = `id: FEAT-AUTH
name: Log in
description: People log in
priority: 1
complexity: 7
acceptance_criteria: ["AC-001: logs in", "logs out"]
`;

function write(project: ListedProject, path: string, text: string): void {
  const file = join(project.context.checkout, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

const PATH = '.guardkit/features/FEAT-AUTH.yaml';

async function defined(): Promise<ListedProject> {
  const project = new ListedProject();
  write(project, PATH, DEFINED);
  await projectFeatures(project.context, PERSON, { create: true });
  return project;
}

it('shows features from files and from the list alike', async () => {
  const project = new ListedProject();
  project.write({ features: [{ id: 'F1', description: 'Pay' }] });
  write(project, PATH, DEFINED);
  expect(await projectFeatures(project.context, PERSON, { create: false })).toMatchObject({
    adopted: ['F1'],
  });
  expect(project.list().features.map(({ id }) => id)).toEqual(['F1', 'FEAT-AUTH']);
  expect(project.listed('FEAT-AUTH')).toMatchObject({
    name: 'Log in',
    priority: 1,
    complexity: 7,
    tested: false,
    acceptance_criteria: [
      { id: 'AC-001', text: 'logs in' },
      { id: 'AC-002', text: 'logs out' },
    ],
  });
  expect(project.recorded('FEAT-AUTH')?.defined_in).toBe(PATH);
});

it('creates a list only on request', async () => {
  const project = new ListedProject();
  write(project, PATH, DEFINED);
  await projectFeatures(project.context, PERSON, { create: false });
  expect(existsSync(project.path)).toBe(false);
  await projectFeatures(project.context, PERSON, { create: true });
  expect(project.list().features).toHaveLength(1);
});

it('leaves an unchanged list alone', async () => {
  const project = await defined();
  const before = project.text();
  const head = project.context.ledger.head(PROJECT);
  expect(await projectFeatures(project.context, PERSON, { create: true })).toMatchObject({
    rewritten: false,
  });
  expect(project.text()).toBe(before);
  expect(project.context.ledger.head(PROJECT)).toEqual(head);
});

it('takes a change of the file, and keeps the feature’s state', async () => {
  const project = await defined();
  project.edit('FEAT-AUTH', { status: 'in_progress', notes: 'begun' });
  reconcileFeatureList(project.context, agent('coding'));
  write(project, PATH, DEFINED.replace('People log in', 'People sign in'));
  await projectFeatures(project.context, PERSON, { create: false });
  expect(project.listed('FEAT-AUTH')).toMatchObject({
    description: 'People sign in',
    status: 'in_progress',
    notes: 'begun',
  });
});

it('a feature from a file cannot be changed in the list, and the notice names the file', async () => {
  const project = await defined();
  project.edit('FEAT-AUTH', { description: 'Else', acceptance_criteria: [] });
  const { faults } = await projectFeatures(project.context, PERSON, { create: false });
  expect(faults.map(({ field }) => field).sort()).toEqual(['acceptance_criteria', 'description']);
  expect(faults[0]?.guidance).toContain(PATH);
  expect(project.listed('FEAT-AUTH')?.description).toBe('People log in');
});

it('hides a feature whose file is on another branch, and shows it again later', async () => {
  const project = await defined();
  project.edit('FEAT-AUTH', { notes: 'begun' });
  reconcileFeatureList(project.context, agent('coding'));
  rmSync(join(project.context.checkout, PATH));
  await projectFeatures(project.context, PERSON, { create: false });
  expect(project.list().features).toEqual([]);
  expect(shownFeatures(project.context)).toEqual([]);
  project.write({ ...project.list(), features: [{ id: 'F1' }] });
  expect(reconcileFeatureList(project.context, agent())).toMatchObject({ faults: [], adopted: ['F1'] });
  write(project, PATH, DEFINED);
  await projectFeatures(project.context, PERSON, { create: false });
  expect(project.listed('FEAT-AUTH')?.notes).toBe('begun');
});

it('still shows a feature whose file cannot be read', async () => {
  const project = await defined();
  write(project, PATH, `${DEFINED}complexity: 99\n`);
  await projectFeatures(project.context, PERSON, { create: false });
  expect(project.listed('FEAT-AUTH')).toBeDefined();
});

it('prefixes the criteria of several tasks with the task ids', async () => {
  const project = new ListedProject();
  const task = (id: string) =>
    `---\nid: ${id}\ntitle: Do ${id}\nfeature_id: FEAT-X\n---\n# ${id}\n\n## Acceptance Criteria\n- AC-001: ${id} works\n`;
  write(project, '.guardkit/features/FEAT-X.yaml', 'id: FEAT-X\nname: X\ntasks: [TASK-1, TASK-2]\n');
  write(project, 'tasks/TASK-1.md', task('TASK-1'));
  write(project, 'tasks/TASK-2.md', task('TASK-2'));
  await projectFeatures(project.context, PERSON, { create: true });
  expect(project.listed('FEAT-X')?.acceptance_criteria).toEqual([
    { id: 'TASK-1/AC-001', text: 'TASK-1 works' },
    { id: 'TASK-2/AC-001', text: 'TASK-2 works' },
  ]);
});

it('a feature that was merged before counts as completed', async () => {
  const project = new ListedProject();
  project.context.ledger.append(PROJECT, 'feature_completed', {
    feature_id: 'FEAT-AUTH',
    tip: 'a',
    commit: 'b',
    into: 'main',
    by: 'Ada',
  });
  write(project, PATH, DEFINED);
  await projectFeatures(project.context, PERSON, { create: true });
  expect(project.recorded('FEAT-AUTH')).toMatchObject({ status: 'completed', closed: true, tested: false });
});
