import { expect, it } from 'vitest';
import type { StoredTrace } from '../../../src/domain/entities/trace.ts';
import { patternOfGroup } from '../../../src/learning/patterns/pattern-of-group.ts';
import { placeTrace } from '../../../src/learning/patterns/place-traces.ts';
import type { TraceGroup } from '../../../src/learning/patterns/trace-group.ts';
import { storedTrace, THRESHOLDS } from '../memory.ts';

/** All groups after these traces, by bucket and id. */
function group(traces: readonly StoredTrace[]): TraceGroup[] {
  const buckets = new Map<string, Map<string, TraceGroup>>();
  for (const trace of traces) {
    const placed = placeTrace(trace, (bucket) => [...(buckets.get(bucket)?.values() ?? [])]);
    if (!placed) continue;
    const bucket = buckets.get(placed.bucket) ?? new Map<string, TraceGroup>();
    if (placed.dropped !== undefined) bucket.delete(placed.dropped);
    buckets.set(placed.bucket, bucket.set(placed.group.id, placed.group));
  }
  return [...buckets.values()].flatMap((bucket) => [...bucket.values()]);
}

function patterns(traces: readonly StoredTrace[]) {
  return group(traces).flatMap((one) => patternOfGroup(one, THRESHOLDS) ?? []);
}

const THREE = [
  storedTrace({ session: 's1', feature: 'FEAT-1', at: '2026-03-02T10:00:00.000Z' }),
  storedTrace({ session: 's1', feature: 'FEAT-1', at: '2026-03-03T10:00:00.000Z' }),
  storedTrace({ session: 's2', feature: 'FEAT-2', at: '2026-03-04T10:00:00.000Z' }),
];

it('three similar traces in two features and two sessions are a pattern that explains itself', () => {
  expect(patterns(THREE)).toMatchObject([
    {
      type: 'violation',
      agent: 'coding',
      guard: 'block-tested-true',
      count: 3,
      features: ['FEAT-1', 'FEAT-2'],
      sessions: 2,
      first_at: '2026-03-02T10:00:00.000Z',
      last_at: '2026-03-04T10:00:00.000Z',
      trend: 'new',
      recent: 3,
      examples: [{ feature: 'FEAT-1' }, { feature: 'FEAT-1' }, { feature: 'FEAT-2' }],
      suggests: [{ what: 'new_guard' }, { what: 'prompt_line' }],
      because: expect.stringMatching(/\b3\b.*\benforcement_hook\b.*\b3\b/),
    },
  ]);
});

it.each([
  ['two', THREE.slice(1)],
  [
    'three in one feature',
    THREE.map((trace) => ({ ...trace, context: { ...trace.context, feature: 'FEAT-1' } })),
  ],
  [
    'three in one session',
    THREE.map((trace) => ({ ...trace, context: { ...trace.context, session: 's1' } })),
  ],
  [
    'three of different agents',
    THREE.map((trace, at) => ({ ...trace, context: { ...trace.context, agent: `a${at}` } })),
  ],
  ['three against different guards', THREE.map((trace, at) => ({ ...trace, guard: `g${at}` }))],
  [
    'three with different commands',
    THREE.map((trace, at) => ({ ...trace, attempted: `command program${at}` })),
  ],
])('%s are none', (_name, traces) => {
  expect(patterns(traces)).toEqual([]);
});

it('a noisy session makes no pattern, however many features it touches [LEARN-6]', () => {
  const noise = Array.from({ length: 500 }, (_, at) => storedTrace({ session: 's1', feature: `FEAT-${at}` }));
  expect(patterns(noise)).toEqual([]);
});

it('a noisy session with a single echo counts as much as two traces would', () => {
  const [one] = group([
    ...Array.from({ length: 50 }, () => storedTrace({ session: 's1' })),
    storedTrace({ session: 's2', feature: 'FEAT-2' }),
  ]);
  expect(one && patternOfGroup(one, { ...THRESHOLDS, count: 4 })).toBeUndefined();
});

it('an agent’s own claims make no pattern, however often [LEARN-6]', () => {
  const forged = Array.from({ length: 300 }, (_, at) =>
    storedTrace({ source: 'agent', session: `s${at}`, feature: `FEAT-${at}` }),
  );
  expect(group(forged)).toEqual([]);
  expect(patterns([...forged, ...THREE.slice(1)])).toEqual([]);
});

it('decisions and approvals are not mistakes', () => {
  const told = (['decision', 'approval'] as const).flatMap((type) =>
    THREE.map((trace): StoredTrace => ({ ...trace, type })),
  );
  expect(group(told)).toEqual([]);
});

it('gates, Coaches and uncertain corrections lead to advice, not to a guard', () => {
  const advice = [
    { source: 'gate', guard: 'tests', attempted: 'gate tests' },
    { source: 'coach', guard: null, attempted: 'turn implemented', type: 'correction' },
    { source: 'user_correction', confidence: 0.5, guard: null, type: 'correction' },
  ] as const;
  for (const parts of advice) {
    const found = patterns([
      storedTrace({ ...parts, session: 's1', feature: 'FEAT-1' }),
      storedTrace({ ...parts, session: 's2', feature: 'FEAT-2' }),
      storedTrace({ ...parts, session: 's3', feature: 'FEAT-2' }),
    ]);
    expect(found).toMatchObject([{ weight: 'advice', suggests: [{ what: 'prompt_line' }] }]);
  }
});

it('corrections are compared by the person’s words, whatever the agent did', () => {
  const correct = (at: number, text: string) =>
    storedTrace({
      type: 'correction',
      source: 'user_correction',
      outcome: 'noticed',
      guard: null,
      agent: 'main',
      session: `s${at}`,
      feature: null,
      attempted: `edit src/generated/file${at}.ts`,
      what: `I rewrote the whole of chapter ${'xyz'[at]} from scratch`,
      correct: text,
    });
  const found = patterns([
    correct(0, 'No, do not edit the generated files, run npm run codegen'),
    correct(1, 'again: do not edit the generated files! run codegen instead'),
    correct(2, 'Do not edit generated files, run the codegen'),
    correct(0, 'Use tabs please'),
  ]);
  expect(found).toMatchObject([
    {
      count: 3,
      guard: null,
      attempts: ['edit src/generated/file0.ts', 'edit src/generated/file1.ts', 'edit src/generated/file2.ts'],
      suggests: [{ what: 'new_guard' }, { what: 'prompt_line' }],
    },
  ]);
});

it('violations that were only restored or warned about suggest stronger enforcement', () => {
  const put = THREE.map((trace): StoredTrace => ({ ...trace, outcome: 'restored' }));
  expect(patterns(put)[0]?.suggests[0]).toMatchObject({ what: 'stronger_enforcement' });
});

it('ids, paths and numbers make no difference, other words do', () => {
  const say = (at: number, what: string) =>
    storedTrace({ session: `s${at}`, feature: `FEAT-${at}`, what, correct: '' });
  expect(
    group([
      say(1, 'Write src/a.ts in FEAT-AUTH took 30 seconds and was refused'),
      say(2, 'Write lib/b/c.js in FEAT-CART took 7 seconds and was refused'),
      say(3, 'Nothing of that sort ever occurred to anybody'),
    ]).map(({ count }) => count),
  ).toEqual([2, 1]);
});

it('the trend compares the last two weeks before the last trace', () => {
  const on = (days: readonly string[]) =>
    patterns(
      days.map((day, at) =>
        storedTrace({ session: `s${at}`, feature: `FEAT-${at % 3}`, at: `2026-03-${day}T10:00:00.000Z` }),
      ),
    )[0]?.trend;
  expect(on(['01', '02', '03'])).toBe('new');
  expect(on(['01', '09', '10', '11'])).toBe('rising');
  expect(on(['01', '05', '06', '13'])).toBe('falling');
  expect(on(['01', '02', '10', '11', '12'])).toBe('rising');
  expect(on(['04', '05', '11', '12'])).toBe('steady');
});

it('a flood of different texts replaces the rarest, and keeps the rest', () => {
  const flood = Array.from({ length: 1000 }, (_, at) => {
    const word = [...String(at)].map((digit) => 'abcdefghij'[Number(digit)]).join('');
    return storedTrace({ what: `${word} ${word}x ${word}y`, correct: '', session: `f${at}` });
  });
  const groups = group([...THREE, ...flood]);
  expect(groups.length).toBeLessThanOrEqual(60);
  expect(groups.some(({ count }) => count === 3)).toBe(true);
});

it('names such as __proto__ do no harm', () => {
  const hostile = ['__proto__', 'constructor', 'toString'];
  const found = group(
    hostile.flatMap((name) => [
      storedTrace({ session: name, feature: 'FEAT-1' }),
      storedTrace({ session: name }),
    ]),
  );
  expect(found[0]?.sessions).toEqual(hostile.map((name) => [name, 2]));
});
