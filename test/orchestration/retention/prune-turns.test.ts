import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { choosePrunableTurns, type KeptTurn } from '../../../src/orchestration/retention/prune-turns.ts';
import { openLedger } from '../../../src/store/ledger/open-ledger.ts';
import { deliverOutbox } from '../../../src/store/ledger/outbox/deliver-outbox.ts';
import { openSqliteStore } from '../../../src/store/sqlite/open-sqlite-store.ts';
import { Sandbox } from '../../support/cli.ts';
import { further } from '../../support/thorough.ts';

const PROJECT = 'shop-4f2a';
const CONFIG = `project: ${PROJECT}\nretention: {turns_per_feature: 2, turns_per_project: 4}\n`;

interface PruneJson {
  dry_run: boolean;
  turns: { id: string; feature_id: string }[];
  kept: number;
  archives: {
    feature_id: string;
    file: string;
    bundle: string | null;
    refs_file: string;
    refs: Record<string, string>;
  }[];
}

let sandbox: Sandbox;
beforeEach(() => {
  sandbox = new Sandbox();
  sandbox.emptyRepository('shop');
  sandbox.write('shop/.guardkit/config.yaml', CONFIG);
  for (const feature of ['A', 'B'])
    sandbox.write(
      `shop/tasks/TASK-${feature}.md`,
      `---\nid: TASK-${feature}\ntitle: T\ntask_type: feature\ncomplexity: 2\nfeature_id: FEAT-${feature}\n---\n## Acceptance Criteria\n- AC-001: x\n`,
    );
  sandbox.git('shop', 'add', '--all');
  sandbox.commit('shop', 'Base');
});
afterEach(() => sandbox.cleanup());

type Ended = 'approved' | 'merged' | 'in progress';

/** A feature with so many turns, each with a commit of its own on its ref, as builds leave them. */
async function built(feature: string, turns: number, ended: Ended, firstMinute = 0): Promise<void> {
  const ledger = openLedger({ path: join(sandbox.home, 'ledger.db') });
  const store = await openSqliteStore({ path: sandbox.database });
  const [featureId, taskId] = [`FEAT-${feature}`, `TASK-${feature}`];
  const base = sandbox.git('shop', 'rev-parse', 'main');
  ledger.append(PROJECT, 'build_began', {
    build_id: `BUILD-${feature}`,
    feature_id: featureId,
    only_tasks: [],
    base_commit: base,
    definition_hash: 'x',
    branch: `guardkit/${featureId}`,
    worktree: '/nowhere',
    player_driver: 'script',
    coach_driver: 'script',
    max_turns: 5,
  });
  let tip = base;
  for (let number = 1; number <= turns; number++) {
    tip = sandbox.git('shop', 'commit-tree', `${base}^{tree}`, '-p', tip, '-m', `${feature} ${number}`);
    sandbox.git('shop', 'update-ref', `refs/guardkit/${featureId}/${taskId}/T${number}`, tip);
    ledger.append(PROJECT, 'turn_recorded', {
      feature_id: featureId,
      task_id: taskId,
      turn_number: number,
      mode: 'continuing_work',
      player_summary: `did ${number}`,
      started_at: new Date(Date.UTC(2026, 0, 1, 0, firstMinute + number)).toISOString(),
    });
  }
  if (ended === 'approved')
    ledger.append(PROJECT, 'task_outcome_recorded', {
      feature_id: featureId,
      task_id: taskId,
      outcome: 'approved',
      turns,
    });
  if (ended === 'merged')
    ledger.append(PROJECT, 'feature_completed', {
      feature_id: featureId,
      tip,
      commit: tip,
      into: 'main',
      by: 'Ada',
    });
  await deliverOutbox(ledger, store);
  await store.close();
  ledger.close();
}

async function prune(...args: string[]): Promise<PruneJson> {
  const { stdout, stderr, exitCode } = await sandbox.guardkit(['graphiti', 'prune', '--json', ...args], {
    in: 'shop',
  });
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  return JSON.parse(stdout) as PruneJson;
}

async function turnsInMemory(): Promise<string[]> {
  const { stdout } = await sandbox.graphiti(['list', 'turn_states', '--json'], { in: 'shop' });
  const { episodes } = JSON.parse(stdout) as { episodes: { entity_id: string }[] };
  return episodes.map(({ entity_id }) => entity_id).sort();
}

const refs = () => sandbox.git('shop', 'for-each-ref', '--format=%(refname)', 'refs/guardkit/').split('\n');

test('a dry run says what would go, and changes nothing', async () => {
  await built('A', 4, 'approved');
  const before = [await turnsInMemory(), refs()];
  const { dry_run, turns, kept, archives } = await prune('--dry-run');
  expect({ dry_run, kept, archives }).toEqual({ dry_run: true, kept: 2, archives: [] });
  expect(turns.map(({ id }) => id)).toEqual(['TURN-FEAT-A-TASK-A-T1', 'TURN-FEAT-A-TASK-A-T2']);
  expect([await turnsInMemory(), refs()]).toEqual(before);
  expect(sandbox.archive()).toEqual([]);
});

test('the oldest turns of a complete feature go into the archive with their commits, and the ledger keeps them', async () => {
  await built('A', 4, 'approved');
  const commit = sandbox.git('shop', 'rev-parse', 'refs/guardkit/FEAT-A/TASK-A/T2');
  const { archives } = await prune();
  expect(await turnsInMemory()).toEqual(['TURN-FEAT-A-TASK-A-T3', 'TURN-FEAT-A-TASK-A-T4']);
  expect(refs()).toEqual(['refs/guardkit/FEAT-A/TASK-A/T3', 'refs/guardkit/FEAT-A/TASK-A/T4']);

  const [archive] = archives;
  expect(archive?.refs['refs/guardkit/FEAT-A/TASK-A/T2']).toBe(commit);
  expect(readFileSync(archive?.file ?? '', 'utf8')).toContain('did 1');
  expect(readFileSync(archive?.refs_file ?? '', 'utf8')).toContain(commit);
  sandbox.git('shop', 'fetch', '--quiet', archive?.bundle ?? '', 'refs/guardkit/*:refs/guardkit/*');
  expect(sandbox.git('shop', 'rev-parse', 'refs/guardkit/FEAT-A/TASK-A/T2')).toBe(commit);

  const ledger = openLedger({ path: join(sandbox.home, 'ledger.db') });
  expect(ledger.entries(PROJECT, { kind: 'turn_recorded' })).toHaveLength(4);
  expect(ledger.verify(PROJECT)).toMatchObject({ ok: true });
  ledger.close();
});

test('work in progress never goes, even over the limit', async () => {
  await built('A', 9, 'in progress');
  const { turns, kept } = await prune();
  expect({ turns, kept }).toEqual({ turns: [], kept: 9 });
  expect(refs()).toHaveLength(9);
});

further('over the limit of the project, complete features make room for work in progress', async () => {
  await built('A', 2, 'merged');
  await built('B', 4, 'in progress', 30);
  const { turns, kept } = await prune();
  expect(turns.map(({ feature_id }) => feature_id)).toEqual(['FEAT-A', 'FEAT-A']);
  expect(kept).toBe(4);
});

further('an approved task that was reset is work in progress again', async () => {
  await built('A', 5, 'approved');
  const ledger = openLedger({ path: join(sandbox.home, 'ledger.db') });
  ledger.append(PROJECT, 'task_reset', { task_id: 'TASK-A', by: 'Ada', reason: '' });
  ledger.close();
  expect((await prune()).turns).toEqual([]);
});

further('a feature of which one task cannot be read is not complete', async () => {
  await built('A', 5, 'approved');
  sandbox.write('shop/tasks/TASK-A-2.md', '---\nid: TASK-A-2\nfeature_id: FEAT-A\ncomplexity: [\n---\n');
  sandbox.write('shop/.guardkit/features/FEAT-A.yaml', 'id: FEAT-A\nname: A\ntasks: [TASK-A, TASK-A-2]\n');
  expect((await prune()).turns).toEqual([]);
});

test('where the archive cannot be written, nothing goes', async () => {
  await built('A', 4, 'approved');
  const before = [await turnsInMemory(), refs()];
  sandbox.write('data/archive', 'a file where the folder should be');
  const { exitCode, stdout } = await sandbox.guardkit(['graphiti', 'prune', '--json'], { in: 'shop' });
  expect(exitCode).toBe(3);
  expect(stdout).toContain('archive.not-written');
  expect([await turnsInMemory(), refs()]).toEqual(before);
});

further('pruning again finds nothing left to do', async () => {
  await built('A', 4, 'approved');
  await prune();
  const { turns, kept } = await prune();
  expect({ turns, kept }).toEqual({ turns: [], kept: 2 });
});

function turn(feature: string, number: number, minute = number): KeptTurn {
  const at = new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString();
  return { id: `TURN-${feature}-T-T${number}`, feature, task: 'T', number, at };
}

const ids = (turns: readonly KeptTurn[]) => turns.map(({ id }) => id);

test('within the limits nothing goes', () => {
  const turns = [turn('A', 1), turn('A', 2)];
  expect(choosePrunableTurns(turns, 2, { perFeature: 2, perProject: 2 })).toEqual([]);
});

test('a feature over its limit loses its oldest turns, and others keep theirs', () => {
  const turns = [turn('A', 3), turn('A', 1), turn('B', 1), turn('A', 2)];
  const chosen = choosePrunableTurns(turns, 4, { perFeature: 2, perProject: 100 });
  expect(ids(chosen)).toEqual(['TURN-A-T-T1']);
});

test('a project over its limit loses the oldest turns of whichever feature is complete', () => {
  const turns = [turn('A', 1, 5), turn('B', 1, 1), turn('B', 2, 2), turn('A', 2, 6)];
  const chosen = choosePrunableTurns(turns, 4, { perFeature: 50, perProject: 1 });
  expect(ids(chosen)).toEqual(['TURN-B-T-T1', 'TURN-B-T-T2', 'TURN-A-T-T1']);
});

test('work in progress counts towards the limit of a project', () => {
  const turns = [turn('A', 1), turn('A', 2)];
  expect(choosePrunableTurns(turns, 300, { perFeature: 50, perProject: 200 })).toHaveLength(2);
});

test('what stays of complete features is within every limit that they can keep, and no turn goes without need', () => {
  const turns = fc.uniqueArray(
    fc.record({ feature: fc.constantFrom('A', 'B', 'C'), number: fc.integer({ min: 1, max: 40 }) }),
    { selector: ({ feature, number }) => `${feature}${number}` },
  );
  fc.assert(
    fc.property(turns, fc.nat(30), fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1, max: 40 }), check),
  );

  function check(
    given: { feature: string; number: number }[],
    inProgress: number,
    perFeature: number,
    perProject: number,
  ): void {
    const all = given.map(({ feature, number }) => turn(feature, number));
    const chosen = choosePrunableTurns(all, all.length + inProgress, { perFeature, perProject });
    const left = all.filter((one) => !chosen.includes(one));
    const over = all.length + inProgress - perProject;
    for (const feature of ['A', 'B', 'C']) {
      const kept = left.filter((one) => one.feature === feature);
      const gone = chosen.filter((one) => one.feature === feature);
      expect(kept.length).toBeLessThanOrEqual(perFeature);
      for (const one of gone) expect(kept.every(({ number }) => number > one.number)).toBe(true);
      if (over <= 0) expect(kept.length).toBe(Math.min(perFeature, kept.length + gone.length));
    }
    expect(left.length + inProgress <= perProject || left.length === 0).toBe(true);
  }
});
