import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isDone } from '../../../src/orchestration/session/next-runnable.ts';
import { MAX_ATTEMPTS, sessionSchema } from '../../../src/orchestration/session/session.ts';
import { rowOf, SESSION_TABLE } from '../../../src/orchestration/session/session-table.ts';
import { runs } from '../../support/thorough.ts';
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
  wild: fc.array(draw, { maxLength: 60, size: 'max' }),
  calm: fc.array(draw, { minLength: 20, maxLength: 20 }),
});

/** Plays a session: first anything may happen, then everybody does their work until it ends. */
function play(
  { plan, wild, calm }: { plan: Plan; wild: readonly Draw[]; calm: readonly Draw[] },
  look: (happened: Happened, world: World) => unknown,
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

/** Invariants of every step, in one function: an assertion for each would be too slow. */
function faultsOf({ before, event, after, effects }: Happened, world: World): string[] {
  if (effects[0]?.type === 'record_refusal')
    return after === before && effects.length === 1 ? [] : ['a refusal changed something'];
  const faults: string[] = [];
  const must = (holds: boolean, fault: string) => {
    if (!holds) faults.push(`${before.phase}, ${event.type}: ${fault}`);
  };
  must(arrowOf({ before, event, after, effects }) !== undefined, `went to ${after.phase} by no arrow`);
  const at = after.suspended ?? after.phase;
  const isOfFeature = at === 'coding' || at === 'testing' || at === 'verifying';
  must((after.feature !== null) === isOfFeature, `${at} with feature ${after.feature}`);
  must(after.attempt <= MAX_ATTEMPTS, `attempt ${after.attempt}`);
  for (const effect of effects) {
    if (effect.type === 'complete_feature') {
      const isVerified =
        event.type === 'verified' && event.outcome === 'pass' && event.feature === effect.feature;
      must(isVerified, 'completed by something else than a verification that passed');
      const isFounded = effect.evidence.length > 0 && effect.evidence.every((one) => world.issued.has(one));
      must(isFounded, 'completed without evidence');
    }
    if (effect.type === 'block_feature') {
      const { attempts, question } = effect.dossier;
      must(attempts.at(-1)?.attempt === MAX_ATTEMPTS, 'blocked before the second attempt');
      must(question.includes(effect.feature), 'a question that does not say of what');
    }
  }
  for (const [id, count] of world.failures) must(count <= MAX_ATTEMPTS, `${id} failed ${count} times`);
  for (const { id, tested, evidence } of world.features.values())
    must(!tested || evidence.length > 0, `${id} is tested on nothing`);
  return faults;
}

/** The arrow of the table that a step took. */
function arrowOf({ before, event, after }: Happened): string | undefined {
  const arrows = rowOf(before.phase, event.type)?.to ?? {};
  if (Object.hasOwn(arrows, after.phase)) return `${event.type} → ${after.phase}`;
  return before.phase === after.phase && Object.hasOwn(arrows, 'same') ? `${event.type} → same` : undefined;
}

it('for any events: no feature is done without evidence, attempted a third time or lost, and the session ends [SESSION-1] [SESSION-2] [SESSION-3]', () => {
  fc.assert(
    fc.property(run, (one) => {
      const faults: string[] = [];
      const world = play(one, (happened, its) => faults.push(...faultsOf(happened, its)));
      expect(faults).toEqual([]);
      expect(world.session.phase).toBe('ended');
      expect(sessionSchema.safeParse(world.session).success).toBe(true);
      if (world.summary?.reason === 'abandoned') return;
      expect(world.lost).toEqual([]);
      for (const id of world.summary?.summary.done ?? []) {
        const known = world.features.get(id);
        expect(known === undefined || isDone(known)).toBe(true);
      }
    }),
    { numRuns: runs(3000) },
  );
});

it('every arrow of the table is taken by some session, so that the diagram shows only real ones', () => {
  const taken = new Set<string>();
  for (const one of fc.sample(run, { seed: 11, numRuns: 3000 })) {
    play(one, (happened) => {
      const arrow = happened.effects[0]?.type === 'record' ? arrowOf(happened) : undefined;
      if (arrow !== undefined) taken.add(arrow);
    });
  }
  const declared = SESSION_TABLE.flatMap(({ on, to }) => Object.keys(to).map((phase) => `${on} → ${phase}`));
  expect([...new Set(declared)].filter((arrow) => !taken.has(arrow))).toEqual([]);
});
