// Writes to a store until it is done or killed, and acknowledges each write on standard output as soon as it returned.
import { writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { EpisodeInput } from '../../src/domain/episode.ts';
import type { EpisodeStore, UpsertResult } from '../../src/store/episode-store.ts';
import { openStore } from '../../src/store/open-store.ts';
import type { StoreLocation } from '../support/backends.ts';
import { ticket, ticketType } from './ticket.ts';

export interface WriteOrder {
  location: StoreLocation;
  writer: number;
  /** `own`: entities of this writer alone; `shared`: the same ones as every other; `endless`: until killed. */
  work: 'own' | 'shared' | 'endless';
  count: number;
}

/** One write that the store has confirmed. */
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

async function* inputs({ writer, work, count }: WriteOrder): AsyncGenerator<EpisodeInput[]> {
  for (let number = 0; work === 'endless' || number < count; number++) {
    const id = `W${writer}-${number}`;
    if (work === 'shared') {
      yield [ticket(`S-${number % 10}`, { title: `by ${id}` })];
    } else if (work === 'own' || number % 3 === 0) {
      yield [ticket(id, { title: `single${id}`, labels: [id], parent: `P-${id}` })];
    } else if (number % 3 === 1) {
      // Of three parts, which have to be there together or not at all.
      yield ['a', 'b', 'c'].map((part) =>
        ticket(`${id}${part}`, {
          title: `batch${id}${part}`,
          labels: [`${id}${part}`],
          parent: `P-${id}${part}`,
        }),
      );
    } else {
      const changing = `W${writer}-changing`;
      yield [ticket(changing, { title: `single${id}`, labels: [id], parent: `P-${id}` })];
    }
  }
}

const order: WriteOrder = JSON.parse(process.argv[2] ?? '{}');
const store = await openStore({ ...order.location, entityTypes: [ticketType] });
writeSync(1, 'ready\n');
const stdin = createInterface({ input: process.stdin });
await new Promise((resolve) => stdin.once('line', resolve));
stdin.close();
for await (const batch of inputs(order)) await acknowledged(store, batch);
await store.close();
