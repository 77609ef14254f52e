import { join } from 'node:path';
import { expect, it } from 'vitest';
import { projectGroup } from '../../../src/domain/entities/group.ts';
import type { EpisodeStore } from '../../../src/store/episode-store.ts';
import { violatingActions } from '../../../src/store/ledger/approvals.ts';
import { type EntryKindRegistry, entryKindRegistry } from '../../../src/store/ledger/chain/entry-kind.ts';
import { ENTRY_KINDS } from '../../../src/store/ledger/chain/entry-kinds.ts';
import { violationRecorded } from '../../../src/store/ledger/kinds/guards/violations.ts';
import { deliverOutbox } from '../../../src/store/ledger/outbox/deliver-outbox.ts';
import { traceId } from '../../../src/store/ledger/outbox/trace-episode.ts';
import { relabelViolations } from '../../../src/store/ledger/relabel-violations.ts';
import { PROJECT, temporaryFolder, temporaryLedger, temporaryStore } from './ledger-fixture.ts';

const VIOLATION = {
  session: 'session-1',
  agent: 'claude',
  agent_type: null,
  guard: 'protected-set',
  what: '.guardkit/config.yaml was changed during: Bash sed',
  path: '.guardkit/config.yaml',
  before_hash: null,
  found_hash: 'a'.repeat(64),
  quarantined: 'x',
  restored: true,
  action: 'tool-8',
};

/** As the previous version delivered it, without a label. */
function earlierKinds(): EntryKindRegistry {
  const earlier = {
    ...violationRecorded,
    episodes: (entry: Parameters<NonNullable<typeof violationRecorded.episodes>>[0]) =>
      (violationRecorded.episodes?.(entry) ?? []).map((episode) => {
        const { label: _, ...body } = episode.body as Record<string, unknown>;
        return { ...episode, body };
      }),
  };
  return entryKindRegistry([...ENTRY_KINDS.filter(({ kind }) => kind !== earlier.kind), earlier]);
}

function labelsOf(store: EpisodeStore, id: string): Promise<unknown[]> {
  return store
    .history(projectGroup(PROJECT, 'traces'), id)
    .then((versions) => versions.map(({ body }) => body.label));
}

it('earlier violations of unknown author are labelled in the chain and in memory, once', async () => {
  const path = join(temporaryFolder(), 'ledger.db');
  const earlier = temporaryLedger({ path, kinds: earlierKinds() });
  earlier.append(PROJECT, 'violation_recorded', VIOLATION);
  earlier.append(PROJECT, 'violation_recorded', { ...VIOLATION, guard: 'field-rights', action: 'tool-9' });
  const store = await temporaryStore();
  await deliverOutbox(earlier, store);
  const id = traceId(earlier.id, 1);
  expect(await labelsOf(store, id)).toEqual([null]);

  const ledger = temporaryLedger({ path });
  expect(relabelViolations(ledger, PROJECT)).toBe(1);
  expect(relabelViolations(ledger, PROJECT)).toBe(0);
  const { failure, refused } = await deliverOutbox(ledger, store);
  expect({ failure, refused }).toEqual({ failure: undefined, refused: [] });

  expect(await labelsOf(store, id)).toEqual([null, 'author-unknown']);
  expect(await labelsOf(store, traceId(ledger.id, 2))).toEqual([null]);
  expect(ledger.entries(PROJECT, { kind: 'violation_relabelled' })).toMatchObject([
    { body: { numbers: [1], label: 'author-unknown' } },
  ]);
  expect(ledger.verify(PROJECT)).toMatchObject({ ok: true });
});

it('thousands are split into several entries', () => {
  const ledger = temporaryLedger();
  const many = Array.from({ length: 250 }, () => ({ kind: 'violation_recorded', body: VIOLATION }));
  ledger.appendMany(PROJECT, many);
  expect(relabelViolations(ledger, PROJECT)).toBe(250);
  expect(ledger.entries(PROJECT, { kind: 'violation_relabelled' })).toHaveLength(3);
});

it('an action counts as a violation only if the agent is the known author', () => {
  const ledger = temporaryLedger();
  ledger.append(PROJECT, 'violation_recorded', VIOLATION);
  ledger.append(PROJECT, 'violation_recorded', { ...VIOLATION, guard: 'field-rights', action: 'tool-9' });
  expect([...violatingActions(ledger, PROJECT)]).toEqual(['session-1\ntool-9']);
});
