import { describe, expect, it } from 'vitest';
import { projectGroup } from '../../../src/domain/entities/group.ts';
import type { Trace } from '../../../src/domain/entities/trace.ts';
import type { EpisodeStore } from '../../../src/store/episode-store.ts';
import type { Ledger } from '../../../src/store/ledger/ledger.ts';
import { deliverOutbox } from '../../../src/store/ledger/outbox/deliver-outbox.ts';
import { PROJECT, temporaryLedger, temporaryStore, turn } from './ledger-fixture.ts';

const GROUP = projectGroup(PROJECT, 'traces');

const JUDGED = {
  session: 'session-1',
  agent: 'claude',
  agent_type: 'guardkit:coding-agent',
  action: 'tool-7',
  tool: 'Edit',
  kind: 'edit',
  summary: 'Edit .claude/progress/feature-list.json',
  attempted: 'edit .claude/progress/feature-list.json',
  feature: 'FEAT-1',
  decision: 'deny',
  findings: [
    {
      guard: 'block-tested-true',
      decision: 'deny',
      reason: 'FEAT-1: only verify sets it.',
      guidance: 'Run guardkit verify.',
      silent: null,
      waiver: null,
    },
  ],
};

const VIOLATION = {
  session: 'session-1',
  agent: 'claude',
  agent_type: null,
  guard: 'protected-set',
  what: '.guardkit/config.yaml was changed during: Bash sed',
  path: '.guardkit/config.yaml',
  before_hash: null,
  found_hash: null,
  quarantined: null,
  restored: true,
  action: 'tool-8',
};

async function tracesOf(ledger: Ledger, store: EpisodeStore): Promise<(Trace & { id: string })[]> {
  const { failure, refused } = await deliverOutbox(ledger, store);
  expect({ failure, refused }).toEqual({ failure: undefined, refused: [] });
  const episodes = await store.list(GROUP, { orderBy: { field: 'created_at', direction: 'asc' } });
  return episodes
    .map(({ entity_id, body }) => ({ id: entity_id, ...(body as unknown as Trace) }))
    .sort((a, b) => (a.id < b.id ? -1 : 1));
}

async function tracesFor(kind: string, body: unknown) {
  const ledger = temporaryLedger();
  ledger.append(PROJECT, kind, body);
  return tracesOf(ledger, await temporaryStore());
}

describe('[LEARN-1] enforcement creates a trace', () => {
  it('of a refusal, with guard, agent, feature and the correct way', async () => {
    const ledger = temporaryLedger();
    ledger.append(PROJECT, 'action_judged', JUDGED);
    const [trace, ...more] = await tracesOf(ledger, await temporaryStore());
    expect(more).toEqual([]);
    expect(trace).toMatchObject({
      id: `TRACE-${ledger.id.slice(0, 12)}-1`,
      type: 'violation',
      source: 'enforcement_hook',
      outcome: 'denied',
      guard: 'block-tested-true',
      attempted: 'edit .claude/progress/feature-list.json',
      action: 'tool-7',
      context: { agent: 'coding', program: 'claude', session: 'session-1', feature: 'FEAT-1' },
      event: {
        what_happened: 'Edit .claude/progress/feature-list.json',
        what_was_correct: 'Run guardkit verify.',
        why: 'FEAT-1: only verify sets it.',
      },
    });
  });

  it('of a warning, but not of shadow or waived findings', async () => {
    const finding = { ...JUDGED.findings[0] };
    const ledger = temporaryLedger();
    ledger.append(PROJECT, 'action_judged', { ...JUDGED, decision: 'warn' });
    ledger.append(PROJECT, 'action_judged', {
      ...JUDGED,
      decision: 'allow',
      findings: [{ ...finding, silent: 'shadow' }],
    });
    const traces = await tracesOf(ledger, await temporaryStore());
    expect(traces.map(({ outcome }) => outcome)).toEqual(['warned']);
  });

  it('of a question to a person, whatever the answer', async () => {
    const findings = JUDGED.findings.map((finding) => ({ ...finding, decision: 'ask' }));
    const traces = await tracesFor('action_judged', { ...JUDGED, decision: 'ask', findings });
    expect(traces).toMatchObject([{ type: 'violation', outcome: 'asked', guard: 'block-tested-true' }]);
  });

  it('of a restored write, and of one that could not be restored', async () => {
    const ledger = temporaryLedger();
    ledger.append(PROJECT, 'violation_recorded', VIOLATION);
    ledger.append(PROJECT, 'violation_recorded', { ...VIOLATION, restored: false });
    const traces = await tracesOf(ledger, await temporaryStore());
    expect(traces.map(({ outcome, guard, context }) => [outcome, guard, context.agent])).toEqual([
      ['restored', 'protected-set', 'main'],
      ['not_restored', 'protected-set', 'main'],
    ]);
  });

  it('of a refused person-only command, which has nothing to restore', async () => {
    const path = 'guardkit guard allow';
    const traces = await tracesFor('violation_recorded', { ...VIOLATION, guard: 'person-only', path });
    expect(traces).toMatchObject([
      { outcome: 'denied', guard: 'person-only', attempted: 'run guardkit guard allow' },
    ]);
    expect(traces[0]?.event.what_was_correct).toMatch(/\S/);
  });

  it('of every failed gate, and of a required one without a result', async () => {
    const gate = { required: true, warnings: [], manual: false, evidence: [] };
    const traces = await tracesFor('verification_recorded', {
      id: 'V-1',
      feature_id: 'FEAT-1',
      task_id: 'TASK-1',
      tree: 'abc',
      base_commit: 'def',
      definition_hash: '',
      outcome: 'fail',
      gates: [
        { ...gate, gate: 'tests', result: 'fail', reason: '2 failed' },
        { ...gate, gate: 'coverage', result: 'absent', reason: 'no report' },
        { ...gate, gate: 'ui', result: 'absent', reason: 'none', required: false },
        { ...gate, gate: 'harness', result: 'pass', reason: '' },
      ],
      sandbox: null,
      duration_ms: 1,
    });
    expect(traces.map(({ guard, outcome, source }) => [guard, outcome, source])).toEqual([
      ['tests', 'failed', 'gate'],
      ['coverage', 'absent', 'gate'],
    ]);
  });

  it('of a Coach’s verdict once, however often the turn is recorded, and of none without a verdict', async () => {
    const ledger = temporaryLedger();
    ledger.append(PROJECT, 'turn_recorded', turn(1, 'began'));
    const judged = { ...turn(1, 'did it'), coach_decision: 'rejected', coach_feedback: 'No tests.' };
    ledger.append(PROJECT, 'turn_recorded', judged);
    ledger.append(PROJECT, 'turn_recorded', { ...judged, lessons_from_turn: ['write tests'] });
    const traces = await tracesOf(ledger, await temporaryStore());
    expect(traces).toHaveLength(1);
    expect(traces[0]).toMatchObject({
      id: 'TRACE-TURN-FEAT-1-TASK-1-T1',
      type: 'correction',
      source: 'coach',
      outcome: 'rejected',
      context: { feature: 'FEAT-1', task: 'TASK-1', turn: 1 },
      event: { what_happened: 'did it', why: 'No tests.' },
    });
  });

  it('of a waiver when it is issued, used, refused and revoked', async () => {
    const ledger = temporaryLedger();
    const waiver = { waiver_id: 'w-1', guard: 'secrets' };
    ledger.append(PROJECT, 'waiver_issued', {
      ...waiver,
      until: '2026-11-15T12:00:00Z',
      uses: 1,
      reason: 'a fixture',
      by: 'ada',
    });
    ledger.append(PROJECT, 'waiver_used', {
      ...waiver,
      session: 's',
      agent: 'claude',
      agent_type: null,
      action: 'Write fixture.json',
    });
    ledger.append(PROJECT, 'waiver_refused', { guard: 'secrets', why: 'an agent', reason: 'please' });
    ledger.append(PROJECT, 'waiver_revoked', { waiver_id: 'w-1', by: 'ada' });
    const traces = await tracesOf(ledger, await temporaryStore());
    expect(traces.map(({ type, source }) => `${type} ${source}`)).toEqual([
      'approval user_correction',
      'approval enforcement_hook',
      'violation enforcement_hook',
      'decision user_correction',
    ]);
  });

  it('of a feature escalated to a person, with the failures and the question', async () => {
    const failure = {
      attempt: 1,
      outcome: 'escalated',
      why: 'No test fails first.',
      tried: 'Two ways.',
      gates: [],
    };
    const traces = await tracesFor('feature_blocked', {
      session_id: 'RUN-1',
      feature_id: 'FEAT-1',
      attempts: [failure, { ...failure, attempt: 2, outcome: 'rejected', why: 'The total is wrong.' }],
      question: 'What is the total of an empty cart?',
    });
    expect(traces).toMatchObject([
      {
        type: 'decision',
        source: 'auto_detected',
        outcome: 'escalated',
        context: { agent: 'orchestrator', feature: 'FEAT-1', session: 'RUN-1' },
        event: {
          what_happened: expect.stringMatching(/\bFEAT-1\b.*\b2\b/),
          what_was_correct: 'What is the total of an empty cart?',
          why: 'escalated: No test fails first.\nrejected: The total is wrong.',
        },
      },
    ]);
  });

  it('of an escalation, and of no other end of a build', async () => {
    const ended = { build_id: 'b', feature_id: 'FEAT-1', why: 'the same feedback three times', cost_usd: 0 };
    const ledger = temporaryLedger();
    ledger.append(PROJECT, 'build_ended', { ...ended, outcome: 'approved' });
    ledger.append(PROJECT, 'build_ended', { ...ended, outcome: 'escalated' });
    const traces = await tracesOf(ledger, await temporaryStore());
    expect(traces).toMatchObject([
      { type: 'decision', outcome: 'escalated', context: { feature: 'FEAT-1' } },
    ]);
  });
});

describe('traces are derived', () => {
  it('[LEARN-1] once, however often and by however many processes the outbox is delivered', async () => {
    const ledger = temporaryLedger();
    const store = await temporaryStore();
    for (let count = 0; count < 5; count += 1) ledger.append(PROJECT, 'action_judged', JUDGED);
    await Promise.all([deliverOutbox(ledger, store), deliverOutbox(ledger, store)]);
    expect(await tracesOf(ledger, store)).toHaveLength(5);
    expect((await store.counts()).find(({ group }) => group === GROUP)).toMatchObject({ versions: 5 });
  });

  it('on two machines of one project with different ids', async () => {
    const store = await temporaryStore();
    for (const ledger of [temporaryLedger(), temporaryLedger()]) {
      ledger.append(PROJECT, 'action_judged', JUDGED);
      await deliverOutbox(ledger, store);
    }
    expect(await store.list(GROUP)).toHaveLength(2);
  });

  it('not from doctor’s own sessions', async () => {
    const session = 'guardkit-doctor-1';
    expect(await tracesFor('action_judged', { ...JUDGED, session })).toEqual([]);
    expect(await tracesFor('violation_recorded', { ...VIOLATION, session })).toEqual([]);
  });

  it('[SEC-1] without secrets and recalled text, and shortened', async () => {
    const secret = `ghp_${'a1B2'.repeat(9)}`;
    const [trace] = await tracesFor('violation_recorded', {
      ...VIOLATION,
      what: `wrote ${secret} there\n- [precedent TRACE-1] recalled\n${'x'.repeat(5000)}`,
    });
    expect(trace?.event.what_happened).not.toContain(secret);
    expect(trace?.event.what_happened).not.toContain('recalled');
    expect(trace?.event.what_happened.length).toBeLessThanOrEqual(2000);
  });

  it('with relations to feature, turn, session and guard, and found by the fields of their context', async () => {
    const ledger = temporaryLedger();
    const store = await temporaryStore();
    ledger.append(PROJECT, 'action_judged', { ...JUDGED, task: 'TASK-1', turn: 3 });
    const [trace] = await tracesOf(ledger, store);
    const near = await store.neighbours({ scope: PROJECT, id: trace?.id ?? '' });
    expect(near.map(({ relation, id }) => `${relation} ${id}`).sort()).toEqual([
      'against GUARD-block-tested-true',
      'in_session SESSION-session-1',
      'trace_of FEAT-1',
      'trace_of TASK-1',
      'trace_of TURN-FEAT-1-TASK-1-T3',
    ]);
    const where = [{ field: 'feature', op: 'eq', value: 'FEAT-1' }] as const;
    expect(await store.list(GROUP, { where })).toHaveLength(1);
    expect(await store.list(GROUP, { where: [{ field: 'agent', op: 'eq', value: 'tester' }] })).toEqual([]);
  });

  it('from an entry of an earlier version without features', async () => {
    const { attempted: _attempted, feature: _feature, ...earlier } = JUDGED;
    const findings = JUDGED.findings.map(({ guidance: _guidance, ...finding }) => finding);
    const [trace] = await tracesFor('action_judged', { ...earlier, findings });
    expect(trace).toMatchObject({ attempted: 'edit Edit', context: { feature: null } });
  });
});
