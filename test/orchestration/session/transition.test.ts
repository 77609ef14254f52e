import { describe, expect, it } from 'vitest';
import { sessionStateSchema } from '../../../src/domain/entities/session-state.ts';
import { NOT_REACHED } from '../../../src/orchestration/session/next-runnable.ts';
import { nextAction } from '../../../src/orchestration/session/project-session.ts';
import { sessionSchema } from '../../../src/orchestration/session/session.ts';
import { SESSION_TABLE } from '../../../src/orchestration/session/session-table.ts';
import { BUILD_OUTCOMES } from '../../../src/store/ledger/kinds/sessions/builds.ts';
import { built, coded, failed, feature, passed, started, Told, tested } from './session-fixture.ts';

describe('the table of seven', () => {
  it('a session that starts without a feature list spawns the initializer', () => {
    const told = started([]);
    expect(told.effect('spawn_agent')).toMatchObject({ agent: 'initializer', feature: null, attempt: 1 });
  });

  it('a session that starts with pending features spawns the coding agent', () => {
    const told = started([feature('A'), feature('B')]);
    expect(told.effect('spawn_agent')).toMatchObject({ agent: 'coding', feature: 'A', attempt: 1 });
  });

  it('coding that is complete spawns the tester', () => {
    expect(
      started([feature('A')])
        .tell(coded('A'))
        .effect('spawn_agent'),
    ).toMatchObject({
      agent: 'tester',
      feature: 'A',
    });
    expect(started([feature('A', { status: 'completed' })]).effect('spawn_agent')).toMatchObject({
      agent: 'tester',
      feature: 'A',
    });
  });

  it('a test that passed, by GuardKit’s own verification, selects the next feature [SESSION-1]', () => {
    const told = started([feature('A'), feature('B')]).tell(coded('A'), tested('A'));
    expect(told.effect('verify')).toEqual({ type: 'verify', feature: 'A', attempt: 1 });
    told.tell(passed('A'));
    expect(told.effect('complete_feature')).toMatchObject({ feature: 'A', evidence: ['EV-1'] });
    expect(told.effect('read_features')).toBeDefined();
    told.tell({ type: 'features_known', features: [feature('A'), feature('B')] });
    expect(told.effect('spawn_agent')).toMatchObject({ agent: 'coding', feature: 'B', attempt: 1 });
  });

  it('a test that failed once resumes coding, with the failure as context', () => {
    const told = started([feature('A')]).tell(coded('A'), tested('A'), failed('A'));
    expect(told.effect('count_failure')).toMatchObject({ feature: 'A', retries: 1 });
    expect(told.effect('spawn_agent')).toMatchObject({
      agent: 'coding',
      feature: 'A',
      attempt: 2,
      failures: [{ attempt: 1, outcome: 'fail', why: 'tests fail: adds up: expected 3, got 4' }],
    });
  });

  it('a test that failed twice blocks the feature with a dossier, and the next one starts [SESSION-2]', () => {
    const features = [feature('A'), feature('B')];
    const told = started(features).tell(coded('A'), tested('A'), failed('A'));
    told.tell(coded('A', 2), tested('A', 2), failed('A', 2));
    expect(told.effect('block_feature')?.dossier).toMatchObject({
      feature: 'A',
      attempts: [{ attempt: 1 }, { attempt: 2 }],
      question: expect.stringMatching(/\btests\b.*\bA\b.*got 4/),
    });
    told.tell({ type: 'features_known', features });
    expect(told.effect('spawn_agent')).toMatchObject({ agent: 'coding', feature: 'B', attempt: 1 });
  });

  it('when all are complete the session ends, after one verification of everything together', () => {
    const told = started([feature('A')]).tell(coded('A'), tested('A'), passed('A'));
    told.tell({ type: 'features_known', features: [feature('A')] });
    expect(told.effect('verify_all')).toEqual({ type: 'verify_all', features: ['A'] });
    const result = { feature: 'A', outcome: 'pass' as const, evidence: ['EV-2'], why: '' };
    told.tell({ type: 'all_verified', results: [result] });
    expect(told.effect('end')).toMatchObject({ reason: 'all_done', summary: { done: ['A'], left_count: 0 } });
    expect(told.session.phase).toBe('ended');
  });
});

describe('evidence [SESSION-1]', () => {
  it('a pass without evidence is not a pass', () => {
    const told = started([feature('A')]).tell(coded('A'), tested('A'));
    told.tell({ type: 'verified', feature: 'A', attempt: 1, outcome: 'pass', evidence: [], gates: [] });
    expect(told.effect('complete_feature')).toBeUndefined();
    expect(told.session).toMatchObject({ phase: 'coding', attempt: 2 });
  });

  it('an absent result counts as a failed attempt', () => {
    const told = started([feature('A')]).tell(coded('A'), tested('A'), failed('A', 1, 'absent'));
    told.tell(coded('A', 2), tested('A', 2), failed('A', 2, 'absent'));
    expect(told.effect('block_feature')?.dossier.question).toMatch(/\bA\b/);
  });

  it('passing gates do not override the tester’s objection', () => {
    const told = started([feature('A')]).tell(coded('A'), tested('A', 1, 'failed'), passed('A'));
    expect(told.effect('complete_feature')).toBeUndefined();
    expect(told.effect('spawn_agent')).toMatchObject({
      attempt: 2,
      failures: [{ outcome: 'objection', why: 'the total is wrong' }],
    });
    told.tell(coded('A', 2), tested('A', 2), passed('A', 2));
    expect(told.effect('complete_feature')).toBeDefined();
  });

  it('the final verification reopens features that fail or have no result', () => {
    const told = new Told();
    const features = ['A', 'B', 'C'].map((id) => feature(id));
    told.session = started(features).session;
    for (const id of ['A', 'B', 'C'])
      told.tell(coded(id), tested(id), passed(id), { type: 'features_known', features });
    told.tell({
      type: 'all_verified',
      results: [
        { feature: 'A', outcome: 'pass', evidence: ['EV-9'], why: '' },
        { feature: 'B', outcome: 'fail', evidence: ['EV-9'], why: 'C broke it' },
      ],
    });
    expect(told.effects.filter(({ type }) => type === 'reopen_feature')).toEqual([
      { type: 'reopen_feature', feature: 'B', why: 'C broke it' },
      { type: 'reopen_feature', feature: 'C', why: expect.any(String) },
    ]);
    expect(told.effect('end')).toMatchObject({
      reason: 'reopened',
      summary: { done: ['A'], reopened: ['B', 'C'] },
    });
  });
});

describe('every outcome of feature-build', () => {
  const expected = {
    approved: ['verifying', 1],
    max_turns: ['coding', 2],
    escalated: ['coding', 2],
    failed: ['coding', 2],
    budget: ['choosing', 0],
    cancelled: ['paused', 1],
  } as const;

  it.each(BUILD_OUTCOMES.map((outcome) => [outcome, ...expected[outcome]] as const))(
    '%s leads to %s, attempt %i',
    (outcome, phase, attempt) => {
      const told = started([feature('A')], { driven_by: 'run' }).tell(built('A', outcome));
      expect(told.session).toMatchObject({ phase, attempt, spent_usd: 0.5 });
      expect(told.effect('count_failure') !== undefined).toBe(attempt === 2);
    },
  );

  it('a spent budget ends the session and costs the feature no attempt', () => {
    const told = started([feature('A')], { driven_by: 'run' }).tell(built('A', 'budget'));
    told.tell({ type: 'features_known', features: [feature('A', { status: 'in_progress' })] });
    expect(told.effect('end')).toMatchObject({
      reason: 'budget',
      summary: { left: [{ feature: 'A', why: NOT_REACHED }] },
    });
  });

  it('a cancelled build resumes as the same attempt', () => {
    const told = started([feature('A')], { driven_by: 'run' }).tell(built('A', 'cancelled'), {
      type: 'resumed',
    });
    expect(told.effect('spawn_agent')).toMatchObject({ feature: 'A', attempt: 1, resume: true });
  });

  it('a second escalation asks a person its question', () => {
    const told = started([feature('A')], { driven_by: 'run' });
    told.tell(built('A', 'escalated'), built('A', 'escalated', 2));
    expect(told.effect('block_feature')?.dossier).toMatchObject({
      attempts: [{ tried: 'a loop' }, { tried: 'a loop' }],
      question: expect.stringMatching(/\bA\b.*it was escalated/),
    });
  });
});

describe('an event that does not apply', () => {
  it.each([
    ['an event of another phase', started([feature('A')]), passed('A')],
    ['a report that comes twice', started([feature('A')]).tell(built('A', 'failed')), built('A', 'failed')],
    ['a report of another feature', started([feature('A')]), coded('B')],
    ['a second start', started([feature('A')]), { type: 'session_started', session: 'S', driven_by: 'run' }],
    ['the tester during coding', started([feature('A')]), tested('A')],
    [
      'a second report of the initializer',
      started([]),
      { type: 'initializer_finished', attempt: 2, faults: [] },
    ],
  ] as const)('%s is refused and recorded, and changes nothing', (_case, told, event) => {
    const before = told.session;
    told.tell(event as never);
    expect(told.session).toBe(before);
    expect(told.effects).toEqual([
      { type: 'record_refusal', event: event.type, phase: before.phase, why: expect.stringMatching(/\w/) },
    ]);
  });
});

describe('the initializer', () => {
  it('gets the faults of its list once; then the session ends', () => {
    const told = started([]).tell({
      type: 'initializer_finished',
      attempt: 1,
      faults: ['F1 has no criteria'],
    });
    expect(told.effect('spawn_agent')).toMatchObject({
      agent: 'initializer',
      attempt: 2,
      failures: [{ why: 'F1 has no criteria' }],
    });
    told.tell({ type: 'initializer_finished', attempt: 2, faults: ['F1 has no criteria'] });
    told.tell({ type: 'no_features' });
    expect(told.effect('end')).toMatchObject({ reason: 'no_features' });
  });

  it('with a valid list is followed by the first feature', () => {
    const told = started([]).tell({ type: 'initializer_finished', attempt: 1, faults: [] });
    told.tell({ type: 'features_known', features: [feature('A')] });
    expect(told.effect('spawn_agent')).toMatchObject({ agent: 'coding', feature: 'A' });
  });
});

describe('the table', () => {
  it('has one row for a phase and an event', () => {
    const keys = SESSION_TABLE.flatMap(({ from, on }) => from.map((phase) => `${phase} ${on}`));
    expect(keys.filter((key, at) => keys.indexOf(key) !== at)).toEqual([]);
  });

  it('is recorded before any act, and shown in the projection', () => {
    const told = started([feature('A')]);
    expect(told.effects.map(({ type }) => type)).toEqual([
      'record',
      'begin_feature',
      'write_projection',
      'spawn_agent',
    ]);
    expect(sessionStateSchema.parse(told.effect('write_projection')?.content)).toEqual({
      version: 1,
      session_id: 'S-1',
      state: 'coding',
      feature: 'A',
      agent: 'coding',
      attempt: 1,
      since: '2026-11-15T09:00:00.000Z',
      next_action: nextAction(told.session),
      last_result: null,
    });
    expect(sessionSchema.parse(JSON.parse(JSON.stringify(told.session)))).toEqual(told.session);
  });

  it('keeps what agents wrote short', () => {
    const told = started([feature('A')]).tell({
      type: 'agent_crashed',
      feature: 'A',
      attempt: 1,
      why: 'x'.repeat(1_000_000),
    });
    expect(JSON.stringify(told.session).length).toBeLessThan(10_000);
  });
});
