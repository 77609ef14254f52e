import { criterionWords, wordSimilarity } from '../../domain/criteria/criterion.ts';
import type { TurnState } from '../../domain/entities/turn-state.ts';
import { wasCutOff } from './turn-lifecycle.ts';
import { turnRecord } from './turn-record.ts';

export type StopOutcome = 'approved' | 'max_turns' | 'escalated' | 'budget';

export type StopCause =
  | 'approved'
  | 'coach_escalated'
  | 'criterion_blocked'
  | 'low_scores'
  | 'failing_tests'
  | 'same_feedback'
  | 'budget'
  | 'max_turns';

export type StopDecision =
  | { stop: false }
  | {
      stop: true;
      outcome: StopOutcome;
      cause: StopCause;
      why: string;
      /** What a person should do now. */
      next: string;
    };

export interface StopInput {
  /** Of this task in this attempt, the oldest first. */
  turns: readonly TurnState[];
  maxTurns: number;
  /** By the whole build so far. */
  spentUsd: number;
  budgetUsd: number | undefined;
  taskId: string;
  featureId: string;
}

/** How often something may go wrong in the same way. */
const IN_A_ROW = 3;
/** A score below half of what is required is no matter of polish; twice in a row, nobody is mending it. */
const VIOLATION = 0.5;
const VIOLATIONS_IN_A_ROW = 2;

/** Whether the build of a task ends after its last turn, and what to do then. */
export function decideStop(input: StopInput): StopDecision {
  const turns = input.turns.filter((turn) => !wasCutOff(turn));
  const last = turns.at(-1);
  if (last?.coach_decision === 'approved') return approved(input, last);
  const escalation = last && findEscalation(turns, last, input);
  if (escalation) return { stop: true, outcome: 'escalated', ...escalation };
  if (input.budgetUsd !== undefined && input.spentUsd >= input.budgetUsd) {
    return {
      stop: true,
      outcome: 'budget',
      cause: 'budget',
      why: `$${input.spentUsd.toFixed(2)} of $${input.budgetUsd.toFixed(2)} are spent.`,
      next: `Look at \`guardkit explain ${input.taskId}\`, then go on with \`guardkit feature-build ${input.featureId} --resume --budget-usd N\`.`,
    };
  }
  if (turns.length < input.maxTurns) return { stop: false };
  return {
    stop: true,
    outcome: 'max_turns',
    cause: 'max_turns',
    why: `${turns.length === 1 ? 'One turn was' : `${turns.length} turns were`} taken, and the work is not approved.`,
    next: `Look at \`guardkit explain ${input.taskId}\` for what is missing. Make the task smaller or its criteria clearer, or go on with \`guardkit feature-build ${input.featureId} --resume --max-turns N\`.`,
  };
}

function approved({ featureId }: StopInput, { turn_number }: TurnState): StopDecision {
  return {
    stop: true,
    outcome: 'approved',
    cause: 'approved',
    why: `Turn ${turn_number} was approved on evidence.`,
    next: `Look at the branch, then merge it with \`guardkit feature complete ${featureId}\`.`,
  };
}

type Escalation = Pick<Extract<StopDecision, { stop: true }>, 'cause' | 'why' | 'next'>;

function findEscalation(
  turns: readonly TurnState[],
  last: TurnState,
  { featureId, taskId }: StopInput,
): Escalation | undefined {
  const resume = `\`guardkit feature-build ${featureId} --resume\``;
  if (last.coach_decision === 'escalated') {
    return {
      cause: 'coach_escalated',
      why: `The Coach hands turn ${last.turn_number} to a person.`,
      next: `Read its feedback (\`guardkit turns ${taskId}\`), decide what it asks, then go on with ${resume}.`,
    };
  }
  const blocked = Object.entries(last.acceptance_criteria_status)
    .filter(([, status]) => status === 'blocked')
    .map(([id]) => id);
  if (blocked.length > 0) {
    return {
      cause: 'criterion_blocked',
      why: `${blocked.join(', ')} cannot be met as written.`,
      next: `Take away what blocks it and go on with ${resume}, or change the criterion in the task file, commit that, and let the task start afresh with \`guardkit task reset ${taskId} --reason "…"\`.`,
    };
  }
  if (lowScores(turns)) {
    return {
      cause: 'low_scores',
      why: `The architecture score is below half of what is required for the second time (${last.arch_score} of ${turnRecord(last).arch_threshold}).`,
      next: `Decide on the architecture (an ADR, or another plan in .claude/task-plans/), then go on with ${resume}.`,
    };
  }
  if (failingRuns(turns) >= IN_A_ROW) {
    return {
      cause: 'failing_tests',
      why: `The tests failed in ${IN_A_ROW} turns in a row.`,
      next: `Look at the failing tests (\`guardkit turns ${taskId}\`) and mend them in the worktree or change the plan, then go on with ${resume}.`,
    };
  }
  if (repeatsItself(turns)) {
    return {
      cause: 'same_feedback',
      why: `The same feedback was given ${IN_A_ROW} times, and no further criterion was verified.`,
      next: `Look at \`guardkit explain ${taskId}\`: the feedback may be impossible to follow or the task unclear. Change one of them, then go on with ${resume}.`,
    };
  }
  return undefined;
}

function lowScores(turns: readonly TurnState[]): boolean {
  const scored = turns.slice(-VIOLATIONS_IN_A_ROW);
  return (
    scored.length === VIOLATIONS_IN_A_ROW &&
    scored.every((turn) => {
      const { arch_threshold } = turnRecord(turn);
      return (
        arch_threshold !== null && turn.arch_score !== null && turn.arch_score < arch_threshold * VIOLATION
      );
    })
  );
}

/** Turns in which no test run took place neither add to the row nor end it. */
function failingRuns(turns: readonly TurnState[]): number {
  let row = 0;
  for (const turn of [...turns].reverse()) {
    const { gates } = turnRecord(turn);
    const result = Object.hasOwn(gates, 'tests') ? gates.tests : undefined;
    const failed = result === 'fail' || (result === undefined && (turn.tests_failed ?? 0) > 0);
    const passed = result === 'pass' || (result === undefined && turn.tests_failed === 0);
    if (failed) row++;
    else if (passed) break;
  }
  return row;
}

function repeatsItself(turns: readonly TurnState[]): boolean {
  const row = turns.slice(-IN_A_ROW);
  const [first, ...rest] = row;
  if (!first || row.length < IN_A_ROW) return false;
  const verifiedBefore = verifiedIn(first);
  const progress = rest.some((turn) => [...verifiedIn(turn)].some((id) => !verifiedBefore.has(id)));
  if (progress) return false;
  return row.every((one) => row.every((other) => isSameFeedback(one.coach_feedback, other.coach_feedback)));
}

function verifiedIn({ acceptance_criteria_status }: TurnState): Set<string> {
  const entries = Object.entries(acceptance_criteria_status);
  return new Set(entries.filter(([, status]) => status === 'verified').map(([id]) => id));
}

/** Above this two texts say the same in other words. */
const SAME = 0.8;

/** Whether two feedbacks ask for the same, whatever their order, case and punctuation. */
export function isSameFeedback(one: string | null, other: string | null): boolean {
  if (one === null || other === null) return false;
  return wordSimilarity(criterionWords(one), criterionWords(other)) >= SAME;
}
