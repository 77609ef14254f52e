// Writes to a store until done or killed, and acknowledges each write on standard output as soon as it returns.
import { writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { EpisodeInput } from '../../src/domain/entities/episode.ts';
import type { EpisodeStore, UpsertResult } from '../../src/store/episode-store.ts';
import { openStore } from '../../src/store/open-store.ts';
import type { StoreLocation } from '../support/backends.ts';
import { ticket, ticketType } from './ticket.ts';

export interface WriteOrder {
  location: StoreLocation;
  writer: number;
  /** How many of its own entities it writes, and then how often the shared ones; or until killed. */
  work: { own: number; shared: number } | 'endless';
}

/** One write confirmed by the store. */
export interface Acknowledged extends UpsertResult {
  id: string;
}

async function acknowledged(store: EpisodeStore, inputs: EpisodeInput[]): Promise<void> {
  const results = (await store.upsertMany(inputs)) ?? [];
  const lines = inputs.map(
    ({ entity_id }, index) => `${JSON.stringify({ id: entity_id, ...results[index] })}\n`,
  );
  // At once and in one piece: a write is acknowledged when this returns, whatever happens to the process next.
  writeSync(1, lines.join(''));
}

function* inputs({ writer, work }: WriteOrder): Generator<EpisodeInput[]> {
  if (work === 'endless') return yield* endlessInputs(writer);
  for (let number = 0; number < work.own; number++) yield [labelled(`W${writer}-${number}`)];
  for (let number = 0; number < work.shared; number++) {
    yield [ticket(`S-${number % 10}`, { title: `by ${writer}, ${number}` })];
  }
}

/** A new ticket, three tickets all or none, a change of one ticket, and again. */
function* endlessInputs(writer: number): Generator<EpisodeInput[]> {
  for (let number = 0; ; number++) {
    const id = `W${writer}-${number}`;
    yield [labelled(id)];
    yield ['a', 'b', 'c'].map((part) => labelled(`${id}${part}`));
    yield [{ ...labelled(`${id}-changing`), entity_id: `W${writer}-changing` }];
  }
}

/** Found by its own label, title and parent. */
function labelled(id: string): EpisodeInput {
  return ticket(id, { title: `title${id}`, labels: [id], parent: `P-${id}` });
}

const order: WriteOrder = JSON.parse(process.argv[2] ?? '{}');
const store = await openStore({ ...order.location, entityTypes: [ticketType] });
writeSync(1, 'ready\n');
const stdin = createInterface({ input: process.stdin });
await new Promise((resolve) => stdin.once('line', resolve));
stdin.close();
for (const batch of inputs(order)) await acknowledged(store, batch);
await store.close();
