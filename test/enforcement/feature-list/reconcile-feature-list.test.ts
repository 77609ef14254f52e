import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  listNoticeForAgent,
  listNoticesForPerson,
} from '../../../src/enforcement/feature-list/format-reconciliation.ts';
import { findKnownList, shownFeatures } from '../../../src/enforcement/feature-list/known-list.ts';
import { projectList } from '../../../src/enforcement/feature-list/project-list.ts';
import { reconcileFeatureList } from '../../../src/enforcement/feature-list/reconcile-feature-list.ts';
import { inTransaction } from '../../../src/store/ledger/in-transaction.ts';
import { readFeatures, recordFeatures } from '../../../src/store/ledger/tables/feature-table.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { sample } from '../../support/thorough.ts';
import { agent, feature, ListedProject, openWindowOf, PERSON, PROJECT } from './list-fixture.ts';

const CODING = agent('coding-agent');

const LIST = {
  version: 1,
  project: PROJECT,
  team: 'blue',
  features: [
    { id: 'F1', description: 'Log in', acceptance_criteria: ['AC-001: logs in', 'AC-002: logs out'] },
    { id: 'F2', description: 'Pay', owner: 'Ada' },
  ],
};

let project: ListedProject;

/** A list that GuardKit has adopted. */
beforeEach(() => {
  project = new ListedProject();
  project.write(LIST);
  reconcileFeatureList(project.context, PERSON);
});

function look(changedBy = CODING) {
  return reconcileFeatureList(project.context, changedBy);
}

describe('a list from before GuardKit', () => {
  it('is adopted as untested with a notice, and kept in the quarantine', () => {
    const fresh = new ListedProject();
    fresh.write({ features: [{ id: 'F1', tested: true, evidence: ['I saw it'] }, { id: 'F2' }] });
    const before = fresh.text();
    const reconciled = reconcileFeatureList(fresh.context, PERSON);
    expect(reconciled).toMatchObject({ adopted: ['F1', 'F2'], rewritten: true, violation: undefined });
    expect(reconciled.faults).toMatchObject([
      { feature: 'F1', field: 'tested' },
      { feature: 'F1', field: 'evidence' },
    ]);
    expect(listNoticesForPerson(reconciled).join('\n')).toMatch(/\b2\b[\s\S]*F1: tested\b/);
    expect(fresh.listed('F1')).toMatchObject({ tested: false, evidence: [] });
    expect(fresh.entries('features_recorded')[0]?.body).toMatchObject({ by: 'adopted' });
    expect(fresh.quarantined().map((path) => readFileSync(path, 'utf8'))).toEqual([before]);
  });

  it('keeps unknown fields of features and at the top', () => {
    expect(project.list()).toMatchObject({ version: 1, project: PROJECT, team: 'blue' });
    expect(project.listed('F2')).toMatchObject({ owner: 'Ada' });
  });

  it('does not change features that GuardKit already has, and adds new ones', () => {
    recordFeatures(project.context.ledger, PROJECT, {
      by: 'verification',
      actor: 'guardkit',
      features: [feature('F1', { tested: true, evidence: ['VER-1'], description: 'Log in' })],
    });
    const other = project.other();
    other.write({ features: [{ id: 'F1', description: 'Old', tested: false }, { id: 'F9' }] });
    expect(reconcileFeatureList(other.context, PERSON)).toMatchObject({ adopted: ['F9'], faults: [] });
    expect(other.list().features.map(({ id }) => id)).toEqual(['F1', 'F2', 'F9']);
    expect(other.listed('F1')).toMatchObject({ description: 'Log in', tested: true });
  });

  it('stays unchanged if unreadable, with one notice', () => {
    const fresh = new ListedProject();
    fresh.write('not a list');
    expect(reconcileFeatureList(fresh.context, PERSON).faults).toHaveLength(1);
    expect(reconcileFeatureList(fresh.context, PERSON).unchanged).toBe(true);
    expect(fresh.text()).toBe('not a list');
    expect(fresh.quarantined()).toEqual([]);
  });

  it('is kept in the quarantine when features take its place, and counts against no agent', () => {
    const fresh = new ListedProject();
    fresh.write('not a list');
    reconcileFeatureList(fresh.context, PERSON);
    recordFeatures(fresh.context.ledger, PROJECT, {
      by: 'projection',
      actor: 'guardkit',
      features: [feature('F1', {})],
    });
    const reconciled = reconcileFeatureList(fresh.context, CODING);
    expect(reconciled).toMatchObject({ rewritten: true, violation: undefined });
    expect(listNoticesForPerson(reconciled)).toHaveLength(1);
    expect(fresh.list().features).toMatchObject([{ id: 'F1' }]);
    expect(fresh.quarantined().map((path) => readFileSync(path, 'utf8'))).toEqual(['not a list']);
  });

  it('is not created if missing', () => {
    const other = project.other();
    expect(reconcileFeatureList(other.context, CODING)).toMatchObject({ unchanged: true, rewritten: false });
    expect(existsSync(other.path)).toBe(false);
    expect(existsSync(dirname(other.path))).toBe(false);
  });
});

describe('an unchanged list', () => {
  it('is left alone, and nothing is recorded', () => {
    const before = project.context.ledger.head(PROJECT);
    const text = project.text();
    for (const changedBy of [CODING, PERSON, agent()])
      expect(look(changedBy)).toMatchObject({ unchanged: true, rewritten: false });
    expect(project.context.ledger.head(PROJECT)).toEqual(before);
    expect(project.text()).toBe(text);
    expect(project.quarantined()).toHaveLength(1);
  });

  it('is noticed when it changes within a clock tick and keeps its length', () => {
    const changed = project.text().replace('"tested": false', '"tested":  true');
    expect(changed).toHaveLength(project.text().length);
    project.write(changed);
    project.settle();
    expect(look().faults).toHaveLength(1);
    expect(project.listed('F1')?.tested).toBe(false);
  });

  it('is rewritten when features changed elsewhere, without a violation', () => {
    const other = project.other();
    other.write({ features: [] });
    reconcileFeatureList(other.context, PERSON);
    other.edit('F1', { notes: 'from the other checkout' });
    expect(reconcileFeatureList(other.context, CODING).faults).toEqual([]);
    expect(look()).toMatchObject({ rewritten: true, faults: [], violation: undefined });
    expect(project.listed('F1')?.notes).toBe('from the other checkout');
  });
});

describe('during an agent’s action', () => {
  it.each([true, 'true', 1, 'TRUE'])('tested: %j is reverted, recorded and reported', (tested) => {
    project.edit('F1', { tested, status: 'completed' });
    const written = project.text();
    const reconciled = look();
    expect(reconciled).toMatchObject({ rewritten: true, unchanged: false });
    expect(project.listed('F1')).toMatchObject({ tested: false, status: 'completed' });
    expect(project.recorded('F1')).toMatchObject({ tested: false, status: 'completed' });
    const [violation] = project.entries('violation_recorded');
    expect(violation).toMatchObject({
      number: reconciled.violation,
      body: {
        session: 'session-1',
        agent: 'claude',
        agent_type: 'coding-agent',
        guard: 'block-tested-true',
        path: '.claude/progress/feature-list.json',
        quarantined: reconciled.quarantined,
        restored: true,
        action: 'toolu_1',
      },
    });
    const copy = join(project.context.dataFolder, 'quarantine', String(reconciled.quarantined));
    expect(readFileSync(copy, 'utf8')).toBe(written);
    expect(listNoticeForAgent(reconciled)).toContain('guardkit verify F1');
    expect(project.context.ledger.verify(PROJECT)).toMatchObject({ ok: true });
  });

  it('an allowed change is recorded as the agent’s, and the file stays as written', () => {
    project.edit('F1', { status: 'in_progress', notes: 'begun', files: ['src/login.ts'] });
    const written = project.text();
    expect(look()).toMatchObject({ faults: [], rewritten: false, unchanged: false });
    expect(project.text()).toBe(written);
    expect(project.recorded('F1')).toMatchObject({ status: 'in_progress', notes: 'begun' });
    expect(project.entries('features_recorded').at(-1)?.body).toMatchObject({
      by: 'agent',
      actor: 'claude coding-agent',
      features: [{ id: 'F1' }],
    });
    expect(look().unchanged).toBe(true);
    expect(project.entries('violation_recorded')).toEqual([]);
  });

  it('another layout of the same list is not a change', () => {
    project.write(JSON.stringify(project.list()));
    const head = project.context.ledger.head(PROJECT);
    expect(look(agent('tester'))).toMatchObject({ faults: [], rewritten: false });
    expect(project.context.ledger.head(PROJECT)).toEqual(head);
  });

  it('removed features and criteria are restored', () => {
    project.write({ features: [{ id: 'F1', acceptance_criteria: ['AC-001: logs in'] }] });
    const reconciled = look();
    expect(reconciled.faults.map(({ feature: id }) => id)).toEqual(['F1', 'F2']);
    expect(project.entries('violation_recorded')[0]?.body.guard).toBe('field-rights');
    expect(project.listed('F2')).toMatchObject({ description: 'Pay', owner: 'Ada' });
    expect(project.listed('F1')?.acceptance_criteria).toHaveLength(2);
  });

  it('a secret in its text is scrubbed from the list too [SEC-1]', () => {
    project.edit('F1', { notes: 'password: hunter2hunter2!' });
    expect(look()).toMatchObject({ faults: [], rewritten: true });
    expect(project.text()).not.toContain('hunter2');
    expect(look().unchanged).toBe(true);
  });

  it('another agent acting at the same time may be the author', () => {
    project.edit('F1', { status: 'completed' });
    openWindowOf(project, 'coding-agent');
    expect(look(agent('tester'))).toMatchObject({ faults: [], violation: undefined });
    expect(project.recorded('F1')?.status).toBe('completed');
    project.edit('F1', { priority: 1 });
    openWindowOf(project, null);
    expect(look(agent('tester')).faults).toHaveLength(1);
  });

  it('a project’s first list is judged by the agent’s rights', () => {
    const fresh = new ListedProject();
    fresh.write({ features: [{ id: 'F1', tested: true }] });
    const reconciled = reconcileFeatureList(fresh.context, agent('initializer-agent'));
    expect(reconciled).toMatchObject({ adopted: ['F1'], rewritten: true });
    expect(fresh.recorded('F1')?.tested).toBe(false);
    expect(fresh.entries('violation_recorded')).toHaveLength(1);
    const second = new ListedProject();
    second.write({ features: [{ id: 'F1' }] });
    expect(reconcileFeatureList(second.context, CODING).faults).toHaveLength(1);
    expect(readFeatures(second.context.ledger, PROJECT)).toEqual([]);
  });
});

describe('outside an agent’s action', () => {
  it('free fields, criteria and removals are a person’s', () => {
    const [first] = project.list().features;
    project.write({
      ...project.list(),
      features: [{ ...first, description: 'Sign in', acceptance_criteria: ['AC-002: signs out'] }],
    });
    const written = project.text();
    expect(look(PERSON)).toMatchObject({ faults: [], rewritten: false, violation: undefined });
    expect(project.text()).toBe(written);
    expect(readFeatures(project.context.ledger, PROJECT)).toEqual([
      feature('F1', { description: 'Sign in', acceptance_criteria: [{ id: 'AC-002', text: 'signs out' }] }),
    ]);
    expect(project.entries('features_recorded').at(-1)?.body).toMatchObject({
      by: 'person',
      removed: ['F2'],
    });
  });

  it('GuardKit’s own fields are restored with a notice and without a violation', () => {
    project.edit('F1', { tested: true, priority: 1 });
    const reconciled = look(PERSON);
    expect(listNoticesForPerson(reconciled).join()).toContain('F1: tested');
    expect(listNoticeForAgent(reconciled)).toBeUndefined();
    expect(project.listed('F1')).toMatchObject({ tested: false, priority: 1 });
    expect(project.entries('violation_recorded')).toEqual([]);
    expect(project.quarantined()).toHaveLength(2);
  });
});

describe('something else in place of the list', () => {
  const outside = () => join(temporaryFolder(), 'elsewhere.json');
  const cases: [name: string, make: () => void][] = [
    ['nothing', () => rmSync(project.path)],
    ['no folder', () => rmSync(dirname(project.path), { recursive: true })],
    ['text that is not a list', () => project.write('{"features": [')],
    ['an empty file', () => project.write('')],
    ['more than 4 MB', () => project.write(`${project.text()}${' '.repeat(5_000_000)}`)],
    [
      'a link to another list',
      () => {
        const target = outside();
        writeFileSync(target, project.text().replace('"tested": false', '"tested": true'));
        rmSync(project.path);
        symlinkSync(target, project.path);
      },
    ],
    [
      'a dangling link',
      () => {
        rmSync(project.path);
        symlinkSync('/nonexistent/list.json', project.path);
      },
    ],
    [
      'a link in place of its folder',
      () => {
        const folder = temporaryFolder();
        renameSync(dirname(project.path), join(folder, 'moved'));
        symlinkSync(join(folder, 'moved'), dirname(project.path));
      },
    ],
    [
      'a folder',
      () => {
        rmSync(project.path);
        mkdirSync(join(project.path, 'inner'), { recursive: true });
        writeFileSync(join(project.path, 'inner', 'file'), 'kept');
      },
    ],
    [
      'a pipe without a writer',
      () => {
        rmSync(project.path);
        execFileSync('mkfifo', [project.path]);
      },
    ],
    [
      'a file in place of its folder',
      () => {
        rmSync(dirname(project.path), { recursive: true });
        writeFileSync(dirname(project.path), 'x');
      },
    ],
    [
      'a file in place of .claude',
      () => {
        rmSync(dirname(dirname(project.path)), { recursive: true });
        writeFileSync(dirname(dirname(project.path)), 'x');
      },
    ],
  ];

  it.each(cases)('%s: the list is restored, with a violation of the agent [DONE-3]', (_name, make) => {
    const before = project.text();
    make();
    const reconciled = look();
    expect(lstatSync(project.path).isFile()).toBe(true);
    expect(project.text()).toBe(before);
    expect(reconciled.rewritten).toBe(true);
    expect(project.entries('violation_recorded')).toHaveLength(1);
    expect(project.entries('violation_recorded')[0]?.body.guard).toBe('block-tested-true');
    expect(look().unchanged).toBe(true);
  });

  it.each(sample(3, cases))('%s: outside an action it is restored with a notice', (_name, make) => {
    const before = project.text();
    make();
    const reconciled = look(PERSON);
    expect(project.text()).toBe(before);
    expect(listNoticesForPerson(reconciled)).toHaveLength(1);
    expect(project.entries('violation_recorded')).toEqual([]);
  });

  it('the target of a link is neither read nor written', () => {
    const target = outside();
    writeFileSync(target, 'mine');
    rmSync(project.path);
    symlinkSync(target, project.path);
    look();
    expect(readFileSync(target, 'utf8')).toBe('mine');
  });

  it('a hard link to the file does not change the judgement', () => {
    const second = join(temporaryFolder(), 'second.json');
    linkSync(project.path, second);
    writeFileSync(second, project.text().replace('"tested": false', '"tested": true'));
    expect(look().faults).toHaveLength(1);
    expect(project.listed('F1')?.tested).toBe(false);
    expect(lstatSync(project.path).nlink).toBe(1);
  });

  it('a person’s linked .claude folder works like any other', () => {
    const home = temporaryFolder();
    renameSync(dirname(dirname(project.path)), join(home, 'claude'));
    symlinkSync(join(home, 'claude'), dirname(dirname(project.path)));
    expect(look().faults).toEqual([]);
    project.edit('F1', { tested: true });
    expect(look().faults).toHaveLength(1);
    expect(lstatSync(dirname(dirname(project.path))).isSymbolicLink()).toBe(true);
    expect(project.listed('F1')?.tested).toBe(false);
  });

  it('a read-only folder is written to anyway', () => {
    chmodSync(dirname(project.path), 0o500);
    project.context.ledger.append(PROJECT, 'features_recorded', {
      by: 'person',
      actor: 'Ada',
      features: [],
      removed: [],
    });
    expect(look().rewritten).toBe(true);
    expect(lstatSync(dirname(project.path)).mode & 0o700).toBe(0o700);
  });
});

describe('in a long list', () => {
  const ids = Array.from({ length: 60 }, (_, index) => `G${index}`);

  beforeEach(() => {
    project = new ListedProject();
    project.write({ features: ids.map((id) => ({ id, description: `Thing ${id}` })) });
    look(PERSON);
    // In GuardKit's layout, so that only a part is read again.
    rmSync(project.path);
    look(PERSON);
  });

  const shown = () => project.list().features.map(({ id }) => id);

  it('a change anywhere is judged as in a short one', () => {
    project.edit('G40', { tested: true, notes: 'mine' });
    expect(look().faults.map(({ feature: id, field }) => `${id}.${field}`)).toEqual(['G40.tested']);
    expect(project.listed('G40')).toMatchObject({ tested: false, notes: 'mine' });
    project.edit('G3', { status: 'in_progress' });
    project.edit('G55', { status: 'completed' });
    expect(look()).toMatchObject({ faults: [], rewritten: false });
    expect(project.recorded('G3')?.status).toBe('in_progress');
    expect(project.recorded('G55')?.status).toBe('completed');
    expect(look().unchanged).toBe(true);
  });

  it('two changes in a row are both found', () => {
    for (const notes of ['one', 'two']) {
      project.edit('G10', { notes });
      expect(look()).toMatchObject({ faults: [], rewritten: false, unchanged: false });
      expect(project.recorded('G10')?.notes).toBe(notes);
    }
    project.edit('G10', { evidence: ['VER-1'] });
    expect(look().faults).toHaveLength(1);
  });

  it('a removed, duplicated or added feature is recognized', () => {
    const list = project.list();
    project.write({ ...list, features: list.features.filter(({ id }) => id !== 'G30') });
    expect(look().faults.map(({ feature: id }) => id)).toEqual(['G30']);
    project.write({ ...list, features: [...list.features, { ...list.features[2], tested: true }] });
    expect(look().faults).toHaveLength(1);
    expect(shown()).toEqual(ids);
    project.write({ ...list, features: [...list.features, { id: 'G60' }] });
    expect(look(agent())).toMatchObject({ faults: [], adopted: ['G60'], rewritten: false });
    project.write({ ...project.list(), features: [...project.list().features, { id: 'g7' }] });
    expect(look(agent()).faults).toHaveLength(1);
    expect(shown()).toEqual([...ids, 'G60']);
  });

  it('another order is not a change', () => {
    const list = project.list();
    project.write({ ...list, features: [...list.features].reverse() });
    expect(look()).toMatchObject({ faults: [], rewritten: false });
  });
});

describe('several authors', () => {
  it('an outdated list is not the agent’s change', () => {
    recordFeatures(project.context.ledger, PROJECT, {
      by: 'verification',
      actor: 'guardkit',
      features: [
        feature('F1', { ...project.recorded('F1'), tested: true, evidence: ['VER-1'], status: 'completed' }),
        feature('F3'),
      ],
      removed: [],
    });
    project.edit('F2', { notes: 'mine' });
    expect(look()).toMatchObject({ faults: [], violation: undefined, rewritten: true });
    expect(project.recorded('F1')).toMatchObject({ tested: true, status: 'completed' });
    expect(project.recorded('F2')?.notes).toBe('mine');
    expect(project.list().features.map(({ id }) => id)).toEqual(['F1', 'F2', 'F3']);
    expect(project.listed('F1')).toMatchObject({ tested: true, evidence: ['VER-1'] });
  });

  it('a feature that a person removed does not come back with an old list', () => {
    recordFeatures(project.context.ledger, PROJECT, {
      by: 'person',
      actor: 'Ada',
      features: [],
      removed: ['F2'],
    });
    project.edit('F1', { notes: 'mine' });
    expect(look(agent())).toMatchObject({ faults: [], adopted: [] });
    expect(readFeatures(project.context.ledger, PROJECT).map(({ id }) => id)).toEqual(['F1']);
    expect(shownFeatures(project.context).map(({ id }) => id)).toEqual(['F1']);
  });

  it('a false claim in an old list is still a violation', () => {
    recordFeatures(project.context.ledger, PROJECT, {
      by: 'person',
      actor: 'Ada',
      features: [feature('F3')],
    });
    project.edit('F1', { tested: true });
    expect(look().faults.map(({ feature: id, field }) => `${id}.${field}`)).toEqual(['F1.tested']);
    expect(project.listed('F1')?.tested).toBe(false);
  });
});

describe('a list whose writer was killed before the ledger was committed', () => {
  /** As after a kill: the file is written, and the ledger rolls back. */
  function cutOff(): void {
    const { ledger } = project.context;
    const known = findKnownList(project.context) ?? { absent: [], extra: {} };
    expect(() =>
      inTransaction(ledger, () => {
        const features = [feature('F1', { ...project.recorded('F1'), tested: true, evidence: ['VER-1'] })];
        recordFeatures(ledger, PROJECT, { by: 'session', actor: 'guardkit', features });
        projectList(project.context, known);
        throw new Error('killed');
      }),
    ).toThrow('killed');
    expect(project.listed('F1')).toMatchObject({ tested: true });
  }

  it('is rewritten from the ledger, without a violation', () => {
    cutOff();
    expect(look()).toMatchObject({ faults: [], rewritten: true, quarantined: null, violation: undefined });
    expect(project.listed('F1')).toMatchObject({ tested: false, evidence: [] });
    expect(project.entries('violation_recorded')).toEqual([]);
  });

  it('does not excuse a further change by an agent', () => {
    cutOff();
    project.edit('F2', { tested: true });
    expect(look().violation).toBeDefined();
    expect(project.listed('F1')).toMatchObject({ tested: false });
    // Nor does the same text later on.
    project.edit('F1', { tested: true, evidence: ['VER-1'] });
    expect(look().violation).toBeDefined();
  });
});
