import { expect, it } from 'vitest';
import { queryTraces, type TraceQuery } from '../../../src/learning/traces/query-traces.ts';
import { openMemory, PROJECT, type TraceParts } from '../memory.ts';

async function memoryOfMany() {
  const { store, tell } = await openMemory();
  const same = 'Edited the list of features by hand';
  await tell(
    { what: same, feature: 'FEAT-OLD', session: 's-old', guard: 'secrets', outcome: 'waived' },
    ...Array.from(
      { length: 600 },
      (_, number): TraceParts => ({
        what: same,
        feature: `FEAT-${number % 20}`,
        agent: number % 3 === 0 ? 'tester' : 'coding',
      }),
    ),
  );
  return (query: TraceQuery) => queryTraces(store, PROJECT, query);
}

it('finds by words and any rare field among hundreds of newer traces with the same words', async () => {
  const query = await memoryOfMany();
  const text = 'edited features by hand';
  for (const field of [
    { feature: 'FEAT-OLD' },
    { session: 's-old' },
    { guard: 'secrets' },
    { outcome: 'waived' } as const,
    { agent: 'coding', guard: 'secrets' },
  ]) {
    const found = await query({ text, ...field });
    expect(found, JSON.stringify(field)).toMatchObject([{ context: { feature: 'FEAT-OLD' } }]);
    expect(found[0]?.score).toBeGreaterThan(0);
  }
  expect(await query({ text, feature: 'FEAT-NEVER' })).toEqual([]);
});

it('returns only matching traces, best first, up to the limit', async () => {
  const query = await memoryOfMany();
  const found = await query({ text: 'list of features', agent: 'tester', limit: 25 });
  expect(found).toHaveLength(25);
  expect(new Set(found.map(({ context }) => context.agent))).toEqual(new Set(['tester']));
  const scores = found.map(({ score }) => score ?? 0);
  expect(scores).toEqual([...scores].sort((a, b) => b - a));
  const [first] = await query({ text: 'list', since: '2030-01-01T00:00:00.000Z' });
  expect(first).toBeUndefined();
});
