import { join } from 'node:path';
import { expect, it } from 'vitest';
import * as z from 'zod';
import { defineEntity, entityRegistry } from '../../../src/domain/entities/entity-type.ts';
import { projectGroup } from '../../../src/domain/entities/group.ts';
import { defineEntryKind, entryKindRegistry } from '../../../src/store/ledger/chain/entry-kind.ts';
import { openLedger } from '../../../src/store/ledger/open-ledger.ts';
import { deliverOutbox } from '../../../src/store/ledger/outbox/deliver-outbox.ts';
import {
  insertKeptAction,
  type KeptBody,
  keptActions,
} from '../../../src/store/ledger/tables/kept-actions.ts';
import { openSqliteStore } from '../../../src/store/sqlite/open-sqlite-store.ts';
import { traceBody } from '../../learning/memory.ts';
import { PROJECT, temporaryFolder, temporaryLedger, temporaryStore } from './ledger-fixture.ts';

const GROUP = projectGroup(PROJECT, 'traces');
const ATTEMPTED = 'command git push';

/** As written while the field was called `attempt`. */
function earlier<Body extends { attempted: unknown }>({ attempted, ...rest }: Body) {
  return { ...rest, attempt: attempted };
}

const JUDGED = {
  session: 'session-1',
  agent: 'claude',
  agent_type: null,
  action: 'tool-7',
  tool: 'Bash',
  kind: 'command',
  summary: 'git push',
  attempted: ATTEMPTED,
  decision: 'deny',
  findings: [{ guard: 'g', decision: 'deny', reason: 'no', guidance: '', silent: null, waiver: null }],
};

it.each([
  ['action_judged', earlier(JUDGED)],
  ['trace_recorded', earlier(traceBody({ attempted: ATTEMPTED }))],
])(
  'an entry %s from before a field was renamed is read, delivered, and still in force',
  async (kind, body) => {
    const path = join(temporaryFolder(), 'ledger.db');
    const schema = z.looseObject({}) as unknown as z.ZodType<Record<string, never>>;
    const told = () => [{ group: GROUP, entity_type: 'trace', entity_id: 'TRACE-0', body: traceBody() }];
    const written = defineEntryKind({ kind, schema, freeText: [], episodes: told });
    const before = openLedger({ path, kinds: entryKindRegistry([written]) });
    before.append(PROJECT, kind, body);
    before.close();
    const ledger = temporaryLedger({ path });
    expect(ledger.entries(PROJECT, { kind })).toMatchObject([{ body: { attempted: ATTEMPTED } }]);
    expect(ledger.verify(PROJECT).ok).toBe(true);
    const store = await temporaryStore();
    expect(await deliverOutbox(ledger, store)).toMatchObject({ delivered: 1, refused: [], waiting: [] });
    expect(await store.list(GROUP)).toMatchObject([{ body: { attempted: ATTEMPTED } }]);
  },
);

it('so is a kept action', () => {
  const ledger = temporaryLedger();
  const body = earlier({ agent: 'claude', tool: 'Bash', attempted: ATTEMPTED }) as unknown as KeptBody;
  const kept = {
    project: PROJECT,
    session: 's',
    action: null,
    at: 1,
    kind: 'command',
    decision: 'deny',
    body,
  };
  insertKeptAction(ledger, kept);
  expect([...keptActions(ledger, PROJECT)]).toMatchObject([{ body: { attempted: ATTEMPTED } }]);
});

it('so is a trace in memory, and in a file that was exported from there', async () => {
  const path = join(temporaryFolder(), 'guardkit.db');
  const loose = defineEntity<Record<string, never>>({
    type: 'trace',
    groups: ['traces'],
    schema: z.looseObject({}) as unknown as z.ZodType<Record<string, never>>,
    name: () => 'A trace',
    text: () => 'trace',
    indexed: [],
    freeText: [],
  });
  const before = await openSqliteStore({ path, entityTypes: entityRegistry([loose]) });
  const body = earlier(traceBody({ attempted: ATTEMPTED }));
  await before.upsert({ group: GROUP, entity_type: 'trace', entity_id: 'TRACE-1', body });
  const records = [];
  for await (const record of before.export()) records.push(record);
  await before.close();
  const [here, elsewhere] = [await temporaryStore(path), await temporaryStore()];
  await elsewhere.import(records);
  for (const store of [here, elsewhere])
    expect((await store.get(GROUP, 'TRACE-1'))?.body).toEqual(traceBody({ attempted: ATTEMPTED }));
});
