import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isDone } from '../../../src/orchestration/session/next-runnable.ts';
import { MAX_ATTEMPTS, sessionSchema } from '../../../src/orchestration/session/session.ts';
import { rowOf, SESSION_TABLE } from '../../../src/orchestration/session/session-table.ts';
import { feature } from './session-fixture.ts';
import { type Draw, type Happened, type Plan, World } from './session-world.ts';

const draw: fc.Arbitrary<Draw> = fc.tuple(fc.nat(99), fc.nat(9999), fc.nat(9999));

const features = fc
  .array(
    fc.record({
      priority: fc.integer({ min: 1, max: 3 }),
      retries: fc.integer({ min: 0, max: 2 }),
      status: fc.constantFrom('pending', 'pending', 'in_progress', 'completed', 'blocked'),
      closed: fc.boolean(),
      dependencies: fc.array(fc.nat(7), { maxLength: 2 }),
    }),
    { maxLength: 6 },
  )
  .map((rows) =>
    rows.map((row, n) => {
      const dependencies = row.dependencies.map((to) => `F${to}`);
      return feature(`F${n}`, { ...row, closed: row.closed && n % 3 === 0, dependencies });
    }),
  );

const plan: fc.Arbitrary<Plan> = fc.record({
  features,
  driven_by: fc.constantFrom('run', 'hooks'),
  limits: fc.record({
    until: fc.constantFrom(null, null, '2026-11-15T12:00:00.000Z', '2026-11-15T08:00:00.000Z'),
    max_features: fc.constantFrom(null, null, 1, 3),
    budget_usd: fc.constantFrom(null, null, 4),
    only: fc.constantFrom(null, null, ['F0', 'F1', 'F2']),
  }),
});

const run = fc.record({
  plan,
  wild: fc.array(draw, { maxLength: 60 }),
  calm: fc.array(draw, { minLength: 20, maxLength: 20 }),
});

/** Plays a session: first anything may happen, then everybody does their work until it ends. */
function play(
  { plan, wild, calm }: { plan: Plan; wild: readonly Draw[]; calm: readonly Draw[] },
  look: (happened: Happened, world: World) => void,
): World {
  const world = new World(plan);
  look(world.start(), world);
  for (const one of wild) look(world.tell(one[0] < 70 ? world.answer(one) : world.disturb(one)), world);
  const bound = 20 + 12 * (world.features.size + 4);
  for (let n = 0; n < bound && world.session.phase !== 'ended'; n++) {
    const one = calm[n % calm.length] ?? [0, 0, 0];
    const event = world.session.phase === 'paused' ? ({ type: 'resumed' } as const) : world.answer(one, true);
    look(world.tell(event), world);
  }
  return world;
}

function check({ before, event, after, effects }: Happened, world: World): void {
  const refusal = effects.find(({ type }) => type === 'record_refusal');
  if (refusal) {
    expect(after).toBe(before);
    expect(effects).toEqual([refusal]);
    return;
  }
  const arrows = rowOf(before.phase, event.type)?.to ?? {};
  expect(Object.keys(arrows)).toContain(
    before.phase === after.phase && Object.hasOwn(arrows, 'same') ? 'same' : after.phase,
  );
  const at = after.suspended ?? after.phase;
  expect([at, after.feature !== null]).toEqual([at, ['coding', 'testing', 'verifying'].includes(at)]);
  expect(after.attempt).toBeLessThanOrEqual(MAX_ATTEMPTS);
  for (const effect of effects) {
    if (effect.type === 'complete_feature') {
      expect(event).toMatchObject({ type: 'verified', outcome: 'pass', feature: effect.feature });
      expect(effect.evidence.length).toBeGreaterThan(0);
      for (const one of effect.evidence) expect(world.issued).toContain(one);
    }
    if (effect.type === 'block_feature') {
      expect(effect.dossier.attempts.at(-1)?.attempt).toBe(MAX_ATTEMPTS);
      expect(effect.dossier.question).toContain(effect.feature);
    }
  }
  for (const [id, count] of world.failures) expect([id, count <= MAX_ATTEMPTS]).toEqual([id, true]);
  for (const one of world.features.values()) if (one.tested) expect(one.evidence.length).toBeGreaterThan(0);
}

it('whatever happens: no feature is done without evidence, attempted a third time or lost, and it ends [SESSION-1] [SESSION-2] [SESSION-3]', () => {
  fc.assert(
    fc.property(run, (one) => {
      const world = play(one, check);
      expect(world.session.phase).toBe('ended');
      expect(sessionSchema.safeParse(world.session).success).toBe(true);
      if (world.summary?.reason === 'abandoned') return;
      expect(world.lost).toEqual([]);
      for (const id of world.summary?.summary.done ?? []) {
        const known = world.features.get(id);
        expect(known === undefined || isDone(known)).toBe(true);
      }
    }),
    { numRuns: 3000 },
  );
});

it('every arrow of the table is taken by some session, so that the picture shows none that is not there', () => {
  const taken = new Set<string>();
  for (const one of fc.sample(run, { seed: 11, numRuns: 3000 })) {
    play(one, ({ before, event, after, effects }) => {
      if (effects[0]?.type !== 'record') return;
      const arrows = rowOf(before.phase, event.type)?.to ?? {};
      const to = before.phase === after.phase && Object.hasOwn(arrows, 'same') ? 'same' : after.phase;
      taken.add(`${event.type} → ${to}`);
    });
  }
  const declared = SESSION_TABLE.flatMap(({ on, to }) => Object.keys(to).map((phase) => `${on} → ${phase}`));
  expect([...new Set(declared)].filter((arrow) => !taken.has(arrow))).toEqual([]);
});
