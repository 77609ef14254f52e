import { isDone, type SessionFeature } from '../../../src/orchestration/session/next-runnable.ts';
import { newSession, type Session, type SessionLimits } from '../../../src/orchestration/session/session.ts';
import type { SessionAct, SessionEffect } from '../../../src/orchestration/session/session-effect.ts';
import type { SessionEvent } from '../../../src/orchestration/session/session-event.ts';
import { transition } from '../../../src/orchestration/session/transition.ts';
import { BUILD_OUTCOMES } from '../../../src/store/ledger/kinds/sessions/builds.ts';
import { AT, feature, type Timeless } from './session-fixture.ts';

/** One draw: the kind of event and its details. */
export type Draw = readonly [kind: number, a: number, b: number];

export interface Plan {
  features: readonly SessionFeature[];
  driven_by: Session['driven_by'];
  limits: SessionLimits;
}

export interface Happened {
  before: Session;
  event: SessionEvent;
  after: Session;
  effects: readonly SessionEffect[];
}

/** The world of a session: a list of features that its effects change, and agents that answer as drawn. */
export class World {
  session = newSession();
  features: Map<string, SessionFeature>;
  /** Evidence that a verification gave. */
  issued = new Set<string>();
  /** Failed attempts of each feature since a person last unblocked it. */
  failures = new Map<string, number>();
  summary: Extract<SessionEffect, { type: 'end' }> | undefined;
  #act: SessionAct = { type: 'read_features' };
  #number = 0;
  readonly #plan: Plan;

  constructor(plan: Plan) {
    this.#plan = plan;
    this.features = new Map(plan.features.map((one) => [one.id, one]));
  }

  start(): Happened {
    const { driven_by, limits } = this.#plan;
    return this.tell({ type: 'session_started', session: 'S-1', driven_by, limits });
  }

  tell(event: Timeless): Happened {
    const before = this.session;
    const whole = { at: AT, ...event } as SessionEvent;
    const [after, effects] = transition(before, whole);
    this.session = after;
    for (const effect of effects) this.#perform(effect);
    return { before, event: whole, after, effects };
  }

  #perform(effect: SessionEffect): void {
    switch (effect.type) {
      case 'begin_feature':
        this.#change(effect.feature, { status: 'in_progress' });
        return;
      case 'count_failure':
        this.failures.set(effect.feature, (this.failures.get(effect.feature) ?? 0) + 1);
        this.#change(effect.feature, { retries: effect.retries });
        return;
      case 'complete_feature': {
        const { evidence } = effect;
        this.#change(effect.feature, { status: 'completed', tested: true, evidence: [...evidence] });
        return;
      }
      case 'block_feature':
        this.#change(effect.feature, { status: 'blocked' });
        return;
      case 'reopen_feature':
        this.#change(effect.feature, { status: 'pending', tested: false, evidence: [] });
        return;
      case 'end':
        this.summary = effect;
        return;
      case 'read_features':
      case 'spawn_agent':
      case 'verify':
      case 'verify_all':
      case 'wait_until':
        this.#act = effect;
        return;
      default:
        return;
    }
  }

  #change(id: string, values: Partial<SessionFeature>): void {
    const known = this.features.get(id);
    if (known) this.features.set(id, { ...known, ...values });
  }

  /** The running agent's answer. A `fair` one meets no rate limit and is never interrupted. */
  answer([, a, b]: Draw, fair = false): Timeless {
    const act = this.#act;
    switch (act.type) {
      case 'spawn_agent':
        if (!fair && a % 7 === 0)
          return { type: 'rate_limited', until: `2026-11-15T${10 + (b % 4)}:00:00.000Z`, why: '' };
        return this.#agentAnswer(act, a, b, fair);
      case 'verify':
        return this.#verified(act.feature, act.attempt, a, b);
      case 'verify_all':
        return {
          type: 'all_verified',
          results: act.features.map((id, n) => ({
            feature: id,
            outcome: (a + n) % 4 === 0 ? 'fail' : 'pass',
            evidence: b % 5 === 0 ? [] : ['EV-all'],
            why: '',
          })),
        };
      case 'wait_until':
        return { type: 'wait_over' };
      default:
        return this.#known(b % 3 === 0);
    }
  }

  #known(withList = false): Timeless {
    if (this.features.size === 0 && !withList) return { type: 'no_features' };
    return { type: 'features_known', features: [...this.features.values()] };
  }

  #agentAnswer(
    { agent, feature: id, attempt }: Extract<SessionAct, { type: 'spawn_agent' }>,
    a: number,
    b: number,
    fair: boolean,
  ): Timeless {
    const name = id ?? '';
    if (agent === 'initializer') {
      const faults = a % 3 === 0 ? ['a fault'] : [];
      if (faults.length === 0) for (let n = 0; n < b % 4; n++) this.features.set(`I${n}`, feature(`I${n}`));
      return { type: 'initializer_finished', attempt, faults };
    }
    if (this.session.driven_by === 'run' && agent === 'coding') {
      const outcomes = fair ? BUILD_OUTCOMES.filter((one) => one !== 'cancelled') : BUILD_OUTCOMES;
      const outcome = b % 2 === 0 ? 'approved' : (outcomes[a % outcomes.length] ?? 'failed');
      return { type: 'build_ended', feature: name, attempt, outcome, why: 'so', tried: '', cost_usd: a % 3 };
    }
    if (a % 5 === 0) return { type: 'agent_crashed', feature: name, attempt, why: 'killed' };
    const claim = (['done', 'done', 'none', 'failed'] as const)[b % 4] ?? 'done';
    return { type: 'agent_finished', agent, feature: name, attempt, claim, said: 'so' };
  }

  #verified(id: string, attempt: number, a: number, b: number): Timeless {
    const outcome = (['pass', 'pass', 'fail', 'absent'] as const)[a % 4] ?? 'absent';
    const evidence = b % 6 === 0 ? [] : [`EV-${this.#number++}`];
    if (outcome === 'pass') for (const one of evidence) this.issued.add(one);
    return { type: 'verified', feature: id, attempt, outcome, evidence, gates: [] };
  }

  /** An unsolicited event: a person, a clock, or a late or false report. */
  disturb([, a, b]: Draw): Timeless {
    // Later changes to the list are for the next session.
    if (this.session.phase === 'ended') return { type: 'resumed' };
    const ids = [...this.features.keys(), 'gone'];
    const name = ids[b % ids.length] ?? 'gone';
    const attempt = 1 + (b % 2);
    const agent = b % 3 === 0 ? 'coding' : 'tester';
    const kinds: (() => Timeless)[] = [
      () => ({ type: 'person_prompted' }),
      () => ({ type: 'paused' }),
      () => ({ type: 'resumed' }),
      () => ({ type: 'resumed' }),
      () => ({ type: 'trouble_met', why: 'the disk is full' }),
      () => ({ type: 'stop_wanted', may_refuse: b % 4 !== 0 }),
      () => ({ type: 'stop_wanted', may_refuse: true }),
      () =>
        b % 4 === 0
          ? { type: 'limit_reached', limit: b % 8 === 0 ? 'until' : 'budget' }
          : { type: 'stop_wanted', may_refuse: true },
      () => ({ type: 'session_started', session: 'S-2', driven_by: 'run', limits: this.#plan.limits }),
      () => ({ type: 'agent_finished', agent, feature: name, attempt, claim: 'done', said: '' }),
      () => ({
        type: 'build_ended',
        feature: name,
        attempt,
        outcome: 'approved',
        why: '',
        tried: '',
        cost_usd: 1,
      }),
      () => ({ type: 'verified', feature: name, attempt, outcome: 'pass', evidence: [], gates: [] }),
      () => this.#known(b % 2 === 0),
      () => ({ type: 'wait_over' }),
      () => (b % 10 === 0 ? { type: 'abandoned' } : { type: 'feature_edited', feature: name }),
      () => ({ type: 'feature_edited', feature: name }),
      () => {
        this.features.set(`N${b % 3}`, this.features.get(`N${b % 3}`) ?? feature(`N${b % 3}`));
        return { type: 'feature_added', feature: `N${b % 3}` };
      },
      () => this.#unblock(name),
      () => this.#unblock([...this.features.values()].find(({ status }) => status === 'blocked')?.id ?? name),
      () => {
        this.features.delete(name);
        return { type: 'feature_removed', feature: name };
      },
    ];
    return (kinds[a % kinds.length] ?? (() => ({ type: 'resumed' as const })))();
  }

  #unblock(name: string): Timeless {
    if (this.features.get(name)?.status === 'blocked') {
      this.#change(name, { status: 'pending', retries: 0 });
      this.failures.delete(name);
    }
    return { type: 'feature_unblocked', feature: name };
  }

  /** Features missing in the session's summary. */
  get lost(): string[] {
    const { done = [], blocked = [], reopened = [], left = [] } = this.summary?.summary ?? {};
    const told = new Set([...done, ...blocked, ...reopened, ...left.map((one) => one.feature)]);
    return [...this.features.values()].filter((one) => !isDone(one) && !told.has(one.id)).map(({ id }) => id);
  }
}
