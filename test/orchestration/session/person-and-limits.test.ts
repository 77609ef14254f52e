import { describe, expect, it } from 'vitest';
import { nextAction } from '../../../src/orchestration/session/project-session.ts';
import { coded, failed, feature, passed, started, type Timeless, tested } from './session-fixture.ts';

const stop: Timeless = { type: 'stop_wanted', may_refuse: true };

describe('a person', () => {
  it('who prompts pauses the session, and the agent may stop', () => {
    const told = started([feature('A')]).tell({ type: 'person_prompted' });
    expect(told.session).toMatchObject({ phase: 'paused', pause: 'prompt', feature: 'A' });
    expect(told.effect('stop_agent')).toBeUndefined();
    expect(told.tell(stop).effect('let_stop')).toBeDefined();
    expect(told.tell({ type: 'resumed' }).effect('spawn_agent')).toMatchObject({ feature: 'A', attempt: 1 });
  });

  it('who pauses stops the agent; the session resumes from the agent’s result', () => {
    const told = started([feature('A')]).tell({ type: 'paused' });
    expect(told.effect('stop_agent')).toEqual({ type: 'stop_agent', agent: 'coding', feature: 'A' });
    told.tell(coded('A'), tested('A', 1, 'failed'), { type: 'resumed' });
    expect(told.effect('verify')).toMatchObject({ feature: 'A' });
    expect(told.tell(passed('A')).effect('complete_feature')).toBeUndefined();
  });

  it('who abandons the session ends it at once', () => {
    const told = started([feature('A')]).tell({ type: 'abandoned' });
    expect(told.effects.map(({ type }) => type)).toEqual(['record', 'write_projection', 'stop_agent', 'end']);
    expect(told.tell({ type: 'resumed' }).effect('record_refusal')).toBeDefined();
  });

  it('who removes the current feature moves the session to the next', () => {
    const told = started([feature('A'), feature('B')]).tell({ type: 'feature_removed', feature: 'A' });
    expect(told.effect('stop_agent')).toBeDefined();
    expect(told.session.last_result).toMatch(/\bA\b/);
    told.tell({ type: 'features_known', features: [feature('B')] });
    expect(told.session.feature).toBe('B');
  });

  it('who unblocks a feature lets it start again, also during the final verification', () => {
    const features = [feature('A'), feature('B', { dependencies: ['A'] }), feature('C')];
    const told = started(features).tell(coded('A'), tested('A'), failed('A'));
    told.tell(coded('A', 2), tested('A', 2), failed('A', 2), { type: 'features_known', features });
    told.tell(coded('C'), tested('C'), passed('C'), { type: 'features_known', features });
    expect(told.session).toMatchObject({
      phase: 'verifying_all',
      left: [{ feature: 'B', why: expect.stringMatching(/\bA\b/) }],
    });
    told.tell({ type: 'feature_unblocked', feature: 'A' }, { type: 'features_known', features });
    expect(told.session).toMatchObject({ phase: 'coding', feature: 'A', attempt: 1, blocked: [] });
  });
});

describe('an agent that tries to stop', () => {
  it('is told the next step, and may stop after two reminders without progress', () => {
    const told = started([feature('A')]).tell(stop);
    expect(told.effect('keep_going')?.next).toBe(nextAction(told.session));
    expect(told.tell(stop).effect('keep_going')).toBeDefined();
    expect(told.tell(stop).effect('let_stop')).toBeDefined();
    expect(told.session).toMatchObject({ phase: 'paused', pause: 'no_progress' });
  });

  it('is reminded again after progress', () => {
    const told = started([feature('A')]).tell(stop, stop, coded('A'), stop);
    expect(told.effect('keep_going')?.next).toBe(nextAction(told.session));
  });

  it('may stop if its program allows no refusal, and after the end', () => {
    const told = started([feature('A')]).tell({ type: 'stop_wanted', may_refuse: false });
    expect(told.effect('let_stop')).toBeDefined();
    expect(told.tell({ type: 'abandoned' }, stop).effect('let_stop')).toBeDefined();
  });
});

describe('limits', () => {
  const features = [feature('A'), feature('B')];

  it('a rate limit is waited out, and the same attempt continues', () => {
    const until = '2026-11-15T10:00:00.000Z';
    const told = started(features).tell({ type: 'rate_limited', until, why: 'five hours are used up' });
    expect(told.effect('wait_until')).toMatchObject({ until });
    expect(told.tell({ type: 'resumed' }).effect('wait_until')).toMatchObject({ until });
    expect(told.tell({ type: 'wait_over' }).effect('spawn_agent')).toMatchObject({
      feature: 'A',
      attempt: 1,
      resume: true,
    });
  });

  it('a rate limit that outlasts the session ends it', () => {
    const told = started(features, { limits: { until: '2026-11-15T09:30:00.000Z' } });
    told.tell({ type: 'rate_limited', until: '2026-11-15T10:00:00.000Z', why: '' });
    told.tell({ type: 'features_known', features });
    expect(told.effect('end')).toMatchObject({ reason: 'until' });
  });

  it('after the time limit nothing starts, not even a second attempt', () => {
    const told = started(features, { limits: { until: '2026-11-15T09:30:00.000Z' } });
    told.tell(coded('A'), tested('A'), { ...failed('A'), at: '2026-11-15T09:31:00.000Z' });
    expect(told.effect('count_failure')).toMatchObject({ retries: 1 });
    told.tell({ type: 'features_known', features });
    expect(told.effect('end')).toMatchObject({ reason: 'until' });
  });

  it('a limit that is reached stops the agent but not a verification', () => {
    const told = started(features).tell({ type: 'limit_reached', limit: 'until' });
    expect(told.effect('stop_agent')).toMatchObject({ feature: 'A' });
    expect(told.session).toMatchObject({ phase: 'choosing', feature: null });
    const verifying = started(features).tell(coded('A'), tested('A'), {
      type: 'limit_reached',
      limit: 'until',
    });
    expect(verifying.session.phase).toBe('verifying');
    verifying.tell(passed('A'), { type: 'features_known', features });
    expect(verifying.session).toMatchObject({ phase: 'verifying_all', completed: ['A'], end: 'until' });
  });

  it('max_features ends the session, but is the reason only if more features were runnable', () => {
    const told = started(features, { limits: { max_features: 1 } });
    told.tell(coded('A'), tested('A'), passed('A'), { type: 'features_known', features });
    expect(told.session).toMatchObject({ phase: 'verifying_all', end: 'max_features' });
    const all = started([feature('A')], { limits: { max_features: 1 } });
    all.tell(coded('A'), tested('A'), passed('A'), { type: 'features_known', features: [feature('A')] });
    expect(all.session.end).toBe('all_done');
  });

  it('an external error pauses the session, and resuming repeats the interrupted work', () => {
    const told = started(features).tell(coded('A'), tested('A'), {
      type: 'trouble_met',
      why: 'the disk is full',
    });
    expect(told.session).toMatchObject({ phase: 'paused', last_result: 'the disk is full' });
    expect(told.tell({ type: 'resumed' }).effect('verify')).toMatchObject({ feature: 'A', attempt: 1 });
  });
});
