import type * as z from 'zod';
import type { Criterion } from '../../domain/criteria/criterion.ts';
import type { CoachVerdict } from '../../domain/entities/agent-answers.ts';
import type { coachDecisionSchema } from '../../domain/entities/turn-state.ts';
import type { CriteriaUpdate, SupportedCriteria } from './judge-criteria.ts';
import type { TurnEvidence } from './turn-evidence.ts';
import { findEvidence } from './turn-evidence.ts';

export type CoachDecision = z.infer<typeof coachDecisionSchema>;

export interface VerdictInput {
  verdict: CoachVerdict | undefined;
  /** Why there is no verdict. */
  noVerdict: string | undefined;
  /** Undefined where nothing could be run. */
  evidence: TurnEvidence | undefined;
  /** The base's. */
  criteria: readonly Pick<Criterion, 'id' | 'text'>[];
  support: SupportedCriteria;
  update: CriteriaUpdate;
  /** Undefined where no architecture review is required. */
  archThreshold: number | undefined;
  honesty: readonly string[];
}

export interface AppliedVerdict {
  /** Null where the Coach gave no verdict. */
  decision: CoachDecision | null;
  feedback: string;
  /** Why an approval was turned to feedback, or why there is no verdict; empty where the verdict stands as given. */
  overriddenBecause: string[];
}

/** Turns an approval that lacks evidence into feedback that names what is missing. A no is never turned into a yes. */
export function applyVerdict(input: VerdictInput): AppliedVerdict {
  const { verdict, noVerdict, update, honesty } = input;
  const regressions = update.regressions.map(({ id, why }) => `${id} was verified and no longer is: ${why}`);
  if (!verdict) {
    const because = `the Coach gave no verdict${noVerdict ? `: ${noVerdict}` : ''}`;
    const feedback = [`${because.charAt(0).toUpperCase()}${because.slice(1)}.`];
    return {
      decision: null,
      feedback: [
        ...feedback,
        ...listed('Not met on this tree:', [...gatesMissing(input), ...regressions]),
      ].join('\n'),
      overriddenBecause: [because],
    };
  }
  if (verdict.decision !== 'approved') {
    const given = verdict.feedback.trim();
    return { decision: verdict.decision, feedback: given || wordless(input), overriddenBecause: [] };
  }
  const missing = whatIsMissing(input);
  if (missing.length === 0) {
    return { decision: 'approved', feedback: verdict.feedback.trim(), overriddenBecause: [] };
  }
  const lines = [
    ...(verdict.feedback.trim() === '' ? [] : [verdict.feedback.trim(), '']),
    ...listed('The Coach approved, which does not hold yet. Missing:', missing),
    ...listed('Moved back:', regressions),
    ...listed('In the report and not so:', honesty),
    ...listed('Not a criterion of this task:', update.unknown),
  ];
  return { decision: 'feedback', feedback: lines.join('\n'), overriddenBecause: missing };
}

/** Everything that an approval would need and does not have. */
function whatIsMissing(input: VerdictInput): string[] {
  return [...gatesMissing(input), ...criteriaMissing(input), ...architectureMissing(input)];
}

/** A Coach that says no without a word leaves the next turn nothing to work on; what is missing is known all the same. */
function wordless(input: VerdictInput): string {
  return ['The Coach gave no feedback.', ...listed('Missing:', whatIsMissing(input))].join('\n');
}

function gatesMissing({ evidence }: VerdictInput): string[] {
  if (!evidence) return ['the gates were not run on this tree'];
  const required = evidence.verification.gates.filter((gate) => gate.required);
  if (required.length === 0) return ['no required gate gave a result'];
  return required
    .filter(({ result }) => result !== 'pass')
    .map(
      ({ gate, result, reason }) => `gate ${gate} ${result === 'fail' ? 'failed' : 'is absent'}: ${reason}`,
    );
}

function criteriaMissing({ criteria, support, update, evidence }: VerdictInput): string[] {
  if (criteria.length === 0) return ['the task has no acceptance criterion that could be verified'];
  return criteria.flatMap(({ id, text }) => {
    const said = support.criteria.find((one) => one.id === id);
    if (said?.supported) return [];
    const state = Object.hasOwn(update.states, id) ? update.states[id] : undefined;
    const carried =
      said?.claimed == null || said.claimed === 'verified'
        ? state?.status === 'verified' && evidence && findEvidence(state.evidence, evidence).found
        : false;
    if (carried) return [];
    const name = text === '' ? id : `${id} (${text.slice(0, 120)})`;
    return [`criterion ${name} is not verified: ${said?.why || 'nothing shows it'}`];
  });
}

function architectureMissing({ verdict, archThreshold }: VerdictInput): string[] {
  if (archThreshold === undefined) return [];
  const score = verdict?.arch_score ?? null;
  if (score === null) return [`the architecture score is missing; at least ${archThreshold} is required`];
  return score >= archThreshold ? [] : [`the architecture score is ${score}, less than ${archThreshold}`];
}

function listed(heading: string, items: readonly string[]): string[] {
  return items.length === 0 ? [] : [heading, ...items.map((item) => `- ${item}`)];
}
