import type * as z from 'zod';
import type { Criterion } from '../../domain/criteria/criterion.ts';
import type { CoachVerdict } from '../../domain/entities/agent-answers.ts';
import type { coachDecisionSchema } from '../../domain/entities/turn-state.ts';
import type { CriteriaUpdate, SupportedCriteria } from './judge-criteria.ts';
import type { TurnEvidence } from './turn-evidence.ts';
import { findEvidence } from './turn-evidence.ts';
import { gateEntry } from './turn-record.ts';

export type CoachDecision = z.infer<typeof coachDecisionSchema>;

export interface VerdictInput {
  verdict: CoachVerdict | undefined;
  /** Why there is no verdict. */
  noVerdict: string | undefined;
  /** Undefined if nothing could be run. */
  evidence: TurnEvidence | undefined;
  /** The base's. */
  criteria: readonly Pick<Criterion, 'id' | 'text'>[];
  support: SupportedCriteria;
  update: CriteriaUpdate;
  /** Undefined if no architecture review is required. */
  archThreshold: number | undefined;
  honesty: readonly string[];
}

export interface AppliedVerdict {
  /** Null if the Coach gave no verdict. */
  decision: CoachDecision | null;
  feedback: string;
  /** Why an approval became feedback, or why there is no verdict; empty if the verdict stands. */
  overriddenBecause: string[];
}

/** Turns an approval without evidence into feedback that lists what is missing. Never turns a rejection into an approval. */
export function applyVerdict(input: VerdictInput): AppliedVerdict {
  const { verdict, noVerdict, update, honesty } = input;
  const regressions = update.regressions.map(({ id, why }) => `${id} was verified and no longer is: ${why}`);
  if (!verdict) {
    const because = `the Coach gave no verdict${noVerdict ? `: ${noVerdict}` : ''}`;
    const feedback = [`${because.charAt(0).toUpperCase()}${because.slice(1)}.`];
    return {
      decision: null,
      feedback: [...feedback, ...listed('Not met:', [...gatesMissing(input), ...regressions])].join('\n'),
      overriddenBecause: [because],
    };
  }
  if (verdict.decision !== 'approved') {
    const given = verdict.feedback.trim();
    return { decision: verdict.decision, feedback: given || defaultFeedback(input), overriddenBecause: [] };
  }
  const missing = findMissing(input);
  if (missing.length === 0) {
    return { decision: 'approved', feedback: verdict.feedback.trim(), overriddenBecause: [] };
  }
  const lines = [
    ...(verdict.feedback.trim() === '' ? [] : [verdict.feedback.trim(), '']),
    ...listed('GuardKit did not accept the Coach’s verdict. Missing:', missing),
    ...listed('No longer verified:', regressions),
    ...listed('Wrong in the report:', honesty),
    ...listed('Not a criterion of this task:', update.unknown),
  ];
  return { decision: 'feedback', feedback: lines.join('\n'), overriddenBecause: missing };
}

/** Everything that an approval needs and lacks. */
function findMissing(input: VerdictInput): string[] {
  return [...gatesMissing(input), ...criteriaMissing(input), ...architectureMissing(input)];
}

/** A rejection without feedback leaves the next turn nothing to work on, so GuardKit lists what is missing. */
function defaultFeedback(input: VerdictInput): string {
  return ['The Coach gave no feedback.', ...listed('Missing:', findMissing(input))].join('\n');
}

function gatesMissing({ evidence }: VerdictInput): string[] {
  if (!evidence) return ['the gates were not run'];
  const required = evidence.verification.gates.filter((gate) => gate.required);
  if (required.length === 0) return ['no required gate gave a result'];
  return required
    .filter(({ result }) => result !== 'pass')
    .map(({ gate, result, reason }) =>
      gateEntry(gate, `${result === 'fail' ? 'failed' : 'is absent'}: ${reason}`),
    );
}

function criteriaMissing({ criteria, support, update, evidence }: VerdictInput): string[] {
  if (criteria.length === 0) return ['the task has no acceptance criteria'];
  return criteria.flatMap(({ id, text }) => {
    const claim = support.criteria.find((one) => one.id === id);
    if (claim?.supported) return [];
    const state = Object.hasOwn(update.states, id) ? update.states[id] : undefined;
    const carried =
      claim?.claimed == null || claim.claimed === 'verified'
        ? state?.status === 'verified' && evidence && findEvidence(state.evidence, evidence).found
        : false;
    if (carried) return [];
    const name = text === '' ? id : `${id} (${text.slice(0, 120)})`;
    return [`criterion ${name} is not verified: ${claim?.why || 'no evidence'}`];
  });
}

function architectureMissing({ verdict, archThreshold }: VerdictInput): string[] {
  if (archThreshold === undefined) return [];
  const score = verdict?.arch_score ?? null;
  if (score === null) return [`the architecture score is missing (required: ${archThreshold})`];
  return score >= archThreshold ? [] : [`the architecture score is ${score} (required: ${archThreshold})`];
}

function listed(heading: string, items: readonly string[]): string[] {
  return items.length === 0 ? [] : [heading, ...items.map((item) => `- ${item}`)];
}
