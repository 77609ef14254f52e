import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { featureSchema } from '../../../src/domain/entities/feature.ts';
import { GuardKitError } from '../../../src/guardkit-error.ts';
import type { Ledger } from '../../../src/store/ledger/ledger.ts';
import { openLedger } from '../../../src/store/ledger/open-ledger.ts';
import { readFeatures, recordFeatures } from '../../../src/store/ledger/tables/feature-table.ts';
import type { PostgresDatabase, Session } from '../../../src/store/postgres/postgres-database.ts';
import { appendToChain, type Claim } from '../../../src/store/shared/chain-append.ts';
import { ChainLink } from '../../../src/store/shared/chain-link.ts';
import { claimFeature, releaseClaim } from '../../../src/store/shared/claims.ts';
import { migrateQueue, openQueueDatabase } from '../../../src/store/shared/open-queue-database.ts';
import { pullChain } from '../../../src/store/shared/pull-chain.ts';
import { shareLocal, startChain } from '../../../src/store/shared/share-local.ts';
import { PERSONS_KINDS } from '../../../src/store/shared/shared-kinds.ts';
import { addSharedProject, findSharedProject } from '../../../src/store/shared/shared-projects.ts';
import { verifySharedChain } from '../../../src/store/shared/verify-shared-chain.ts';
import { addWorker, beat, endWorker } from '../../../src/store/shared/workers.ts';
import { createDatabase, queryPostgres, type TestDatabase } from '../../support/postgres.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const THREAD = fileURLToPath(new URL('../../../dist/chain-worker.cjs', import.meta.url));
const PROJECT = 'calc-1234';
const COMMIT = 'a'.repeat(40);

let server: TestDatabase;
let database: PostgresDatabase;
let link: ChainLink;
const closing: (() => unknown)[] = [];

beforeAll(async () => {
  server = await createDatabase();
  await migrateQueue(server.url);
  database = await openQueueDatabase(server.url);
  link = new ChainLink(server.url, THREAD);
  closing.push(() => link.close());
  await addSharedProject(database, {
    project: PROJECT,
    identity: 'root',
    branch: 'guardkit/run-1',
    base: COMMIT,
  });
  for (const id of ['one', 'two'])
    await addWorker(database, {
      id,
      host: 'here',
      pid: 1,
      version: '1',
      projects: [PROJECT],
      concurrency: 1,
    });
});

afterAll(async () => {
  for (const close of closing.reverse()) await close();
  await database.close();
  await server.cleanup();
});

/** Ledgers stay open until the end of the file. */
const afterwards = (remove: () => void) => void closing.unshift(remove);

/** A machine's ledger that writes under a claim. */
function machine(claim: Claim): Ledger {
  const path = join(temporaryFolder(afterwards), 'ledger.db');
  const plain = openLedger({ path });
  const ledger = openLedger({ path, shared: link.writer(claim, plain.id) });
  plain.close();
  closing.push(() => ledger.close());
  return ledger;
}

function step(feature: string, turn: number, name: string) {
  const key = { build_id: 'BUILD-1', feature_id: feature, task_id: feature, turn_number: turn };
  return { kind: 'turn_step', body: { ...key, step: name, data: {} } };
}

/** A project that no worker has begun to build. */
async function addedProject(project: string): Promise<string> {
  await addSharedProject(database, {
    project,
    identity: 'root',
    branch: `guardkit/${project}`,
    base: COMMIT,
  });
  return project;
}

const claimed = (feature: string, worker: string) =>
  claimFeature(database, { project: PROJECT, feature, worker });

function failure(work: () => unknown): string | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    if (error instanceof GuardKitError) return error.code;
    throw error;
  }
}

describe('[MANY-1] the shared chain', () => {
  it('refuses a worker whose feature another one has claimed, and the refused entry is nowhere', async () => {
    const first = machine(await claimed('FEAT-A', 'one'));
    first.appendMany(PROJECT, [step('FEAT-A', 1, 'began')]);
    const second = machine(await claimed('FEAT-A', 'two'));
    await pullChain(database, second, PROJECT);
    second.appendMany(PROJECT, [step('FEAT-A', 1, 'judged')]);
    expect(failure(() => first.appendMany(PROJECT, [step('FEAT-A', 1, 'judged')]))).toBe('queue.claim-lost');
    expect(first.entries(PROJECT, { kind: 'turn_step' })).toHaveLength(1);
    expect(second.entries(PROJECT, { kind: 'turn_step' }).map(({ body }) => body.step)).toEqual([
      'began',
      'judged',
    ]);
  });

  it('refuses a second judgement of a turn, even under a valid claim', async () => {
    const ledger = machine(await claimed('FEAT-B', 'one'));
    ledger.appendMany(PROJECT, [step('FEAT-B', 1, 'judged')]);
    expect(failure(() => ledger.appendMany(PROJECT, [step('FEAT-B', 1, 'judged')]))).toBe(
      'queue.recorded-twice',
    );
    ledger.appendMany(PROJECT, [step('FEAT-B', 2, 'judged')]);
    expect(ledger.entries(PROJECT, { kind: 'turn_step' })).toHaveLength(2);
  });

  it('refuses a worker that was declared dead, and its heartbeat does not bring it back', async () => {
    await addWorker(database, { id: 'dead', host: '', pid: 1, version: '1', projects: [], concurrency: 1 });
    const ledger = machine(await claimed('FEAT-C', 'dead'));
    await endWorker(database, 'dead', 'no heartbeat');
    expect(await beat(database, 'dead')).toBe(false);
    expect(failure(() => ledger.appendMany(PROJECT, [step('FEAT-C', 1, 'began')]))).toBe('queue.claim-lost');
    await expect(claimed('FEAT-C', 'dead')).rejects.toMatchObject({ code: 'queue.claim-lost' });
  });

  it('adds nothing when an append is repeated because its answer was lost', async () => {
    const claim = await claimed('FEAT-D', 'one');
    const head = { id: 'machine', number: 0, hash: '' };
    const request = {
      claim,
      machine: head,
      batch: 'once',
      entries: [{ kind: 'turn_step', body: JSON.stringify(step('FEAT-D', 1, 'verified').body) }],
    };
    const number = await appendToChain(database, request);
    expect(await appendToChain(database, request)).toBe(number);
    await releaseClaim(database, claim);
  });

  it('gives every machine the same features, and the hook records of none', async () => {
    const one = machine(await claimed('FEAT-E', 'one'));
    const two = machine(await claimed('FEAT-F', 'two'));
    const feature = (id: string) => featureSchema.parse({ id, name: id });
    recordFeatures(one, PROJECT, { by: 'person', actor: 'a', features: [feature('FEAT-E')] });
    one.append(PROJECT, 'protection_paused', {
      by: 'person',
      reason: '',
      until: '2030-01-01T00:00:00.000Z',
    });
    recordFeatures(two, PROJECT, { by: 'person', actor: 'a', features: [feature('FEAT-F')] });
    await pullChain(database, one, PROJECT);
    await pullChain(database, two, PROJECT);
    expect(await pullChain(database, two, PROJECT)).toBe(0);
    const ids = (ledger: Ledger) =>
      readFeatures(ledger, PROJECT)
        .map(({ id }) => id)
        .sort();
    expect(ids(one)).toEqual(['FEAT-E', 'FEAT-F']);
    expect(ids(two)).toEqual(ids(one));
    expect(two.entries(PROJECT, { kind: 'protection_paused' })).toEqual([]);
    expect(one.verify(PROJECT).ok && two.verify(PROJECT).ok).toBe(true);
  });

  it('takes records of builds only under a claim, once a worker has claimed a feature', async () => {
    const ledger = openLedger({ path: join(temporaryFolder(afterwards), 'ledger.db') });
    closing.push(() => ledger.close());
    const project = await addedProject('claimed-1');
    ledger.appendMany(project, [step('FEAT-A', 1, 'began')]);
    expect(await shareLocal(database, ledger, project)).toBe(1);
    await claimFeature(database, { project, feature: 'FEAT-A', worker: 'one' });
    ledger.appendMany(project, [step('FEAT-A', 1, 'judged')]);
    await expect(shareLocal(database, ledger, project)).rejects.toMatchObject({ code: 'queue.no-claim' });
    const features = [featureSchema.parse({ id: 'FEAT-A', name: 'A' })];
    recordFeatures(ledger, project, { by: 'person', actor: 'a', features });
    await shareLocal(database, ledger, project, PERSONS_KINDS);
    const kinds = `SELECT kind FROM guardkit_queue.entry WHERE project = '${project}' ORDER BY number`;
    expect(await queryPostgres(server.url, kinds)).toEqual([
      { kind: 'turn_step' },
      { kind: 'features_recorded' },
    ]);
  });

  it('imports what one machine recorded alone, once', async () => {
    const path = join(temporaryFolder(afterwards), 'ledger.db');
    const ledger = openLedger({ path });
    closing.push(() => ledger.close());
    const project = await addedProject('alone-1');
    ledger.appendMany(project, [step('FEAT-G', 1, 'began'), step('FEAT-G', 1, 'judged')]);
    expect(await shareLocal(database, ledger, project)).toBe(2);
    expect(await shareLocal(database, ledger, project)).toBe(0);
    await pullChain(database, ledger, project);
    const own = ledger.lookup(project, { kind: 'turn_step', field: 'feature_id', value: 'FEAT-G' });
    expect([...own]).toHaveLength(2);
  });

  it('has an import once whose answer was lost, also after this machine recorded more', async () => {
    const ledger = openLedger({ path: join(temporaryFolder(afterwards), 'ledger.db') });
    closing.push(() => ledger.close());
    const project = await addedProject('cut-off-1');
    ledger.appendMany(project, [step('FEAT-I', 1, 'began'), step('FEAT-I', 1, 'verified')]);
    const cutOff: Session = {
      async query(query) {
        await database.query(query);
        throw new Error('the connection was cut');
      },
    };
    await expect(shareLocal(cutOff, ledger, project)).rejects.toThrow('cut');
    ledger.appendMany(project, [step('FEAT-I', 1, 'verified')]);
    await pullChain(database, ledger, project);
    expect(await shareLocal(database, ledger, project)).toBe(1);
    await pullChain(database, ledger, project);
    const own = ledger.lookup(project, { kind: 'turn_step', field: 'feature_id', value: 'FEAT-I' });
    expect([...own]).toHaveLength(3);
    const shared = `SELECT number FROM guardkit_queue.entry WHERE body LIKE '%FEAT-I%'`;
    expect(await queryPostgres(server.url, shared)).toHaveLength(3);
  });

  describe('on another server', () => {
    let other: TestDatabase;
    let elsewhere: PostgresDatabase;
    beforeAll(async () => {
      other = await createDatabase();
      await migrateQueue(other.url);
      elsewhere = await openQueueDatabase(other.url);
      const branch = { branch: 'guardkit/run-1', base: COMMIT };
      await addSharedProject(elsewhere, { project: PROJECT, identity: 'root', ...branch });
    });
    afterAll(async () => {
      await elsewhere.close();
      await other.cleanup();
    });

    it('is not mixed with the one that a machine has copied', async () => {
      const ledger = machine(await claimed('FEAT-J', 'one'));
      await pullChain(database, ledger, PROJECT);
      const before = ledger.head(PROJECT);
      await expect(pullChain(elsewhere, ledger, PROJECT)).rejects.toMatchObject({
        code: 'queue.other-chain',
      });
      expect(ledger.head(PROJECT)).toEqual(before);
      expect(await pullChain(database, ledger, PROJECT)).toBe(0);
    });

    it('begins with the records of the machine that sets it up, whatever chain they were in', async () => {
      const claim = await claimed('FEAT-K', 'one');
      const ledger = machine(claim);
      ledger.appendMany(PROJECT, [step('FEAT-K', 1, 'began'), step('FEAT-K', 1, 'judged')]);
      const stacked = { feature_id: 'FEAT-K', branch: 'guardkit/run-1', before: COMMIT, commit: COMMIT };
      ledger.append(PROJECT, 'feature_stacked', stacked);
      await startChain(elsewhere, ledger, PROJECT);
      await pullChain(elsewhere, ledger, PROJECT);
      const steps = `SELECT kind FROM guardkit_queue.entry WHERE body LIKE '%FEAT-K%' ORDER BY number`;
      expect(await queryPostgres(other.url, steps)).toEqual([{ kind: 'turn_step' }, { kind: 'turn_step' }]);
      await expect(pullChain(database, ledger, PROJECT)).rejects.toMatchObject({ code: 'queue.other-chain' });
      const shared = await findSharedProject(elsewhere, PROJECT);
      if (!shared) throw new Error('the project is gone');
      expect(await verifySharedChain(elsewhere, shared, ledger)).toMatchObject({ ok: true, missing: 0 });
    });
  });

  it('that lost its newest entries, as after the restore of an old backup, is neither copied nor whole', async () => {
    const project = await addedProject('restored-1');
    const ledger = openLedger({ path: join(temporaryFolder(afterwards), 'ledger.db') });
    closing.push(() => ledger.close());
    const own = (turn: number) => ledger.appendMany(project, [step('FEAT-A', turn, 'began')]);
    own(1);
    await shareLocal(database, ledger, project);
    const before = await findSharedProject(database, project);
    if (!before) throw new Error('the project is gone');
    own(2);
    await shareLocal(database, ledger, project);
    await pullChain(database, ledger, project);
    const table = 'ALTER TABLE guardkit_queue.entry';
    await queryPostgres(
      server.url,
      `${table} DISABLE TRIGGER USER; DELETE FROM guardkit_queue.entry WHERE project = '${project}' AND number = 2;
       ${table} ENABLE TRIGGER USER;
       UPDATE guardkit_queue.project SET number = 1, hash = '${before.hash}' WHERE project = '${project}'`,
    );
    await expect(pullChain(database, ledger, project)).rejects.toMatchObject({ code: 'queue.other-chain' });
    expect(await verifySharedChain(database, before, ledger)).toMatchObject({ ok: false, number: 2 });
  });

  it('stops a machine whose GuardKit does not know an entry, without taking half of it', async () => {
    const project = await addedProject('newer-1');
    const claim = await claimFeature(database, { project, feature: 'FEAT-A', worker: 'one' });
    const head = { id: 'machine', number: 0, hash: '' };
    const entries = [
      { kind: 'turn_step', body: JSON.stringify(step('FEAT-A', 1, 'began').body) },
      { kind: 'from_the_future', body: '{}' },
    ];
    await appendToChain(database, { claim, machine: head, batch: 'newer', entries });
    const ledger = openLedger({ path: join(temporaryFolder(afterwards), 'ledger.db') });
    closing.push(() => ledger.close());
    await expect(pullChain(database, ledger, project)).rejects.toMatchObject({ code: 'queue.newer-entry' });
    expect(ledger.entries(project)).toEqual([]);
  });

  it('is whole, names other machines, and shows an altered entry', async () => {
    const ledger = machine(await claimed('FEAT-H', 'one'));
    ledger.appendMany(PROJECT, [step('FEAT-H', 1, 'began')]);
    const verdict = async () => {
      const shared = await findSharedProject(database, PROJECT);
      if (!shared) throw new Error('the project is gone');
      return verifySharedChain(database, shared, ledger);
    };
    const whole = await verdict();
    expect(whole).toMatchObject({ ok: true });
    expect(whole.ok && whole.machines.filter(({ here }) => here)).toMatchObject([{ machine: ledger.id }]);
    const change = "UPDATE guardkit_queue.entry SET body = '{}' WHERE number = 2";
    await expect(queryPostgres(server.url, change)).rejects.toThrow('never changed');
    const table = 'ALTER TABLE guardkit_queue.entry';
    await queryPostgres(server.url, `${table} DISABLE TRIGGER USER; ${change}; ${table} ENABLE TRIGGER USER`);
    expect(await verdict()).toEqual({ ok: false, number: 2, reason: 'it was altered' });
  });
});
