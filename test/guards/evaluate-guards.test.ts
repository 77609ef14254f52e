import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Action } from '../../src/guards/action.ts';
import { evaluateGuards, usedWaivers } from '../../src/guards/evaluate-guards.ts';
import {
  DECISIONS,
  GUARD_MODES,
  type Guard,
  type GuardFacts,
  type Verdict,
  type Waiver,
} from '../../src/guards/guard.ts';

const ACTION: Action = {
  actor: { agent: 'claude', session: 's', type: undefined, id: undefined },
  tool: 'Task',
  summary: 'Task',
  kind: 'spawn',
  type: 'coding',
};

function guard(changes: Partial<Guard> = {}, decision: 'warn' | 'ask' | 'deny' = 'deny'): Guard {
  return {
    id: 'g',
    summary: 'g',
    origin: 'project',
    mode: 'enforce',
    drivenOnly: false,
    kinds: ['spawn'],
    expires: undefined,
    judge: () => ({ decision, reason: 'Because.', guidance: 'Do otherwise.' }),
    ...changes,
  };
}

function facts(changes: Partial<GuardFacts> = {}): GuardFacts {
  return {
    now: '2026-11-15T12:00:00.000Z',
    root: '/p',
    dataFolder: '/d',
    driven: false,
    canAsk: true,
    wrapped: false,
    waivers: [],
    features: () => [],
    evidence: () => 'absent',
    ...changes,
  };
}

function waiver(changes: Partial<Waiver> = {}): Waiver {
  return { id: 'w', guard: 'g', until: undefined, uses: 1, reason: 'r', ...changes };
}

const judge = (guards: readonly Guard[], changes: Partial<GuardFacts> = {}): Verdict =>
  evaluateGuards(ACTION, guards, facts(changes));

describe('the verdict', () => {
  it('is allow if no guard objects', () => {
    expect(judge([guard({ judge: () => undefined })])).toEqual({ decision: 'allow', findings: [] });
  });

  it('is the decision of the strictest guard, which comes first', () => {
    const { decision, findings } = judge([
      guard({ id: 'a' }, 'warn'),
      guard({ id: 'b' }, 'deny'),
      guard({ id: 'c' }, 'ask'),
    ]);
    expect([decision, findings.map((one) => one.guard)]).toEqual(['deny', ['b', 'c', 'a']]);
  });

  it('is at most warn for a guard in warn mode', () => {
    expect(judge([guard({ mode: 'warn' })]).decision).toBe('warn');
  });

  it('is allow for a guard in shadow mode, with its finding recorded', () => {
    const verdict = judge([guard({ mode: 'shadow' })]);
    expect(verdict).toMatchObject({ decision: 'allow', findings: [{ decision: 'deny', silent: 'shadow' }] });
  });

  it('ignores guards that are off or for other kinds of action', () => {
    const never = () => {
      throw new Error('asked');
    };
    expect(
      judge([guard({ mode: 'off', judge: never }), guard({ kinds: ['edit'], judge: never })]).findings,
    ).toEqual([]);
  });

  it('includes guards for driven sessions only in a driven session', () => {
    const driven = [guard({ drivenOnly: true })];
    expect([judge(driven).decision, judge(driven, { driven: true }).decision]).toEqual(['allow', 'deny']);
  });

  it('ignores an expired guard, but not one with an invalid expiry', () => {
    const at = (expires: string) => judge([guard({ expires })]).decision;
    expect([at('2026-11-15T12:00:00Z'), at('2026-11-15T12:00:01Z'), at('some day')]).toEqual([
      'allow',
      'deny',
      'deny',
    ]);
  });

  it('is deny for ask if no person can be asked, and the reason says so', () => {
    const asked = judge([guard({}, 'ask')], { canAsk: true });
    const { decision, findings } = judge([guard({}, 'ask')], { canAsk: false });
    expect([asked.decision, decision]).toEqual(['ask', 'deny']);
    expect(findings[0]?.reason.length).toBeGreaterThan(asked.findings[0]?.reason.length ?? 0);
  });

  it('is warn for ask if no person can be asked and the guard allows that', () => {
    const soft = guard({
      judge: () => ({ decision: 'ask', unasked: 'warn', reason: 'Because.', guidance: 'Do not.' }),
    });
    expect(judge([soft], { canAsk: true }).decision).toBe('ask');
    expect(judge([soft], { canAsk: false }).decision).toBe('warn');
  });

  it.each([
    ['an error', new Error('boom')],
    ['no error', 'boom'],
    ['a value without a string form', Object.create(null) as unknown],
  ])('is deny by guard-error if a guard throws %s', (_what, thrown) => {
    const broken = guard({
      id: 'broken',
      judge: () => {
        throw thrown;
      },
    });
    const { decision, findings } = judge([broken]);
    expect(decision).toBe('deny');
    expect(findings[0]).toMatchObject({
      guard: 'guard-error',
      reason: expect.stringContaining('broken'),
    });
  });

  it('is deny if a guard in shadow mode throws, since its decision is unknown', () => {
    const broken = guard({
      mode: 'shadow',
      judge: () => {
        throw new Error('boom');
      },
    });
    expect(judge([broken]).decision).toBe('deny');
  });
});

describe('a waiver', () => {
  it('makes the finding of its guard silent, and is named in it', () => {
    const verdict = judge([guard()], { waivers: [waiver()] });
    expect(verdict).toMatchObject({
      decision: 'allow',
      findings: [{ silent: 'waived', waiver: 'w', decision: 'deny' }],
    });
    expect(usedWaivers(verdict)).toEqual(['w']);
  });

  it.each([
    ['for another guard', { guard: 'h' }],
    ['that is used up', { uses: 0 }],
    ['that has expired', { uses: undefined, until: '2026-11-15T12:00:00.000Z' }],
    ['with an invalid end', { uses: undefined, until: 'later' }],
  ])('%s covers nothing', (_what, changes) => {
    expect(judge([guard()], { waivers: [waiver(changes)] }).decision).toBe('deny');
  });

  it('is not used up if another guard refuses anyway', () => {
    const verdict = judge([guard(), guard({ id: 'other' })], { waivers: [waiver()] });
    expect([verdict.decision, usedWaivers(verdict)]).toEqual(['deny', []]);
  });
});

const arbitraryGuard = fc
  .record({
    id: fc.constantFrom('a', 'b', 'c'),
    mode: fc.constantFrom(...GUARD_MODES),
    drivenOnly: fc.boolean(),
    decision: fc.constantFrom('warn', 'ask', 'deny', 'throws', 'nothing' as const),
  })
  .map(({ id, mode, drivenOnly, decision }) =>
    guard({
      id,
      mode,
      drivenOnly,
      judge: () => {
        if (decision === 'throws') throw new Error('boom');
        if (decision === 'nothing') return undefined;
        return { decision, reason: 'r', guidance: 'g' };
      },
    }),
  );
const arbitraryWaivers = fc.array(
  fc.record({
    id: fc.string(),
    guard: fc.constantFrom('a', 'b', 'c', 'guard-error'),
    until: fc.constantFrom(undefined, '2026-11-15T13:00:00Z', '2026-11-15T11:00:00Z', '?'),
    uses: fc.constantFrom(undefined, 0, 1),
    reason: fc.string(),
  }),
);
const arbitraryFacts = fc.record({ driven: fc.boolean(), canAsk: fc.boolean(), waivers: arbitraryWaivers });
const rank = ({ decision }: Verdict) => DECISIONS.indexOf(decision);

describe('for any guards', () => {
  it('further waivers never make the verdict stricter', () => {
    fc.assert(
      fc.property(fc.array(arbitraryGuard), arbitraryFacts, arbitraryWaivers, (guards, given, more) => {
        const before = judge(guards, given);
        const after = judge(guards, { ...given, waivers: [...given.waivers, ...more] });
        expect(rank(after)).toBeLessThanOrEqual(rank(before));
      }),
    );
  });

  it('further guards never make the verdict milder', () => {
    fc.assert(
      fc.property(
        fc.array(arbitraryGuard),
        fc.array(arbitraryGuard),
        arbitraryFacts,
        (guards, more, given) => {
          expect(rank(judge([...guards, ...more], given))).toBeGreaterThanOrEqual(rank(judge(guards, given)));
        },
      ),
    );
  });

  it('a guard that is off changes nothing', () => {
    fc.assert(
      fc.property(fc.array(arbitraryGuard), arbitraryGuard, arbitraryFacts, (guards, off, given) => {
        expect(judge([...guards, { ...off, mode: 'off' }], given)).toEqual(judge(guards, given));
      }),
    );
  });

  it('the decision is that of a finding that is not silent, or allow', () => {
    fc.assert(
      fc.property(fc.array(arbitraryGuard), arbitraryFacts, (guards, given) => {
        const { decision, findings } = judge(guards, given);
        const loud = findings.filter(({ silent }) => silent === undefined).map((one) => one.decision);
        expect(decision).toBe(loud[0] ?? 'allow');
        expect(loud.includes('deny')).toBe(decision === 'deny');
      }),
    );
  });
});
