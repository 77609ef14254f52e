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
      /** What a person should do next. */
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

/** The same failure this many times in a row stops the build. */
const IN_A_ROW = 3;
/** A score below half the threshold is a design problem; twice in a row, nobody is fixing it. */
const VIOLATION = 0.5;
const VIOLATIONS_IN_A_ROW = 2;

/** Whether a task's build stops after its last turn, and what to do then. */
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
      why: `Budget spent: $${input.spentUsd.toFixed(2)} of $${input.budgetUsd.toFixed(2)}.`,
      next: `Read \`guardkit explain ${input.taskId}\`, then continue with \`guardkit feature-build ${input.featureId} --resume --budget-usd N\`.`,
    };
  }
  if (turns.length < input.maxTurns) return { stop: false };
  return {
    stop: true,
    outcome: 'max_turns',
    cause: 'max_turns',
    why: `Not approved after ${turns.length === 1 ? '1 turn' : `${turns.length} turns`}.`,
    next: `Run \`guardkit explain ${input.taskId}\` to see what is missing. Make the task smaller or its criteria clearer, or continue with \`guardkit feature-build ${input.featureId} --resume --max-turns N\`.`,
  };
}

function approved({ featureId }: StopInput, { turn_number }: TurnState): StopDecision {
  return {
    stop: true,
    outcome: 'approved',
    cause: 'approved',
    why: `Turn ${turn_number} was approved on evidence.`,
    next: `Review the branch, then merge it with \`guardkit feature complete ${featureId}\`.`,
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
      why: `The Coach escalated turn ${last.turn_number} to a person.`,
      next: `Read its feedback (\`guardkit turns ${taskId}\`) and decide, then continue with ${resume}.`,
    };
  }
  const blocked = Object.entries(last.acceptance_criteria_status)
    .filter(([, status]) => status === 'blocked')
    .map(([id]) => id);
  if (blocked.length > 0) {
    return {
      cause: 'criterion_blocked',
      why: `${blocked.join(', ')} cannot be met as written.`,
      next: `Remove the blocker and continue with ${resume}; or change the criterion in the task file, commit it, and restart the task with \`guardkit task reset ${taskId} --reason "…"\`.`,
    };
  }
  if (lowScores(turns)) {
    return {
      cause: 'low_scores',
      why: `The architecture score is below half the threshold for the second time (${last.arch_score} of ${turnRecord(last).arch_threshold}).`,
      next: `Decide on the architecture (an ADR, or another plan in .claude/task-plans/), then continue with ${resume}.`,
    };
  }
  if (failingRuns(turns) >= IN_A_ROW) {
    return {
      cause: 'failing_tests',
      why: `The tests failed in ${IN_A_ROW} turns in a row.`,
      next: `Read the failing tests (\`guardkit turns ${taskId}\`), fix them in the worktree or change the plan, then continue with ${resume}.`,
    };
  }
  if (repeatsItself(turns)) {
    return {
      cause: 'same_feedback',
      why: `The Coach gave the same feedback ${IN_A_ROW} times, and no further criterion was verified.`,
      next: `Read \`guardkit explain ${taskId}\`: the feedback may be impossible to follow, or the task unclear. Change one of them, then continue with ${resume}.`,
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

/** Turns without a test run neither extend nor end the row. */
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

/** Above this similarity two texts ask for the same. */
const SAME = 0.8;

/** Ignores order, case and punctuation. */
export function isSameFeedback(one: string | null, other: string | null): boolean {
  if (one === null || other === null) return false;
  return wordSimilarity(criterionWords(one), criterionWords(other)) >= SAME;
}
