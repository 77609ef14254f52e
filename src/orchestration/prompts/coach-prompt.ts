import type { PlayerReport } from '../../domain/entities/agent-answers.ts';
import type { TurnState } from '../../domain/entities/turn-state.ts';
import { qualityGateSection, roleSection } from '../../rules/prompt-sections.ts';
import type { ResolvedQualityGates } from '../../rules/resolve-quality-gates.ts';
import type { ResolvedRole } from '../../rules/resolve-role-constraints.ts';
import type { CriterionStatuses } from '../turns/criterion-status.ts';
import type { TurnEvidence } from '../turns/turn-evidence.ts';
import { architectureSection, type PromptArchitecture } from './architecture-section.ts';
import {
  changedTestsSection,
  changeSections,
  gateResultsSection,
  reportSections,
  testResultSections,
} from './evidence-sections.ts';
import { fitPrompt } from './fit-prompt.ts';
import { fixedSection, type Prompt } from './prompt-section.ts';
import {
  criteriaSection,
  type PromptCriterion,
  type PromptTask,
  QUOTING,
  taskSections,
} from './task-sections.ts';
import { coachPreviousTurnSection, splitTurns } from './turn-history-sections.ts';

export interface CoachPromptInput {
  role: ResolvedRole;
  gates: ResolvedQualityGates;
  task: PromptTask;
  /** Of this turn. */
  turn: number;
  /** The number of the last turn allowed in this attempt. */
  maxTurns: number;
  criteria: readonly PromptCriterion[];
  /** Before this turn. */
  statuses: CriterionStatuses;
  /** Earlier turns, the oldest first; none after a reset. */
  turns: readonly TurnState[];
  evidence: TurnEvidence | undefined;
  /** Why there is no evidence. */
  notRun: string | undefined;
  /** Of the candidate against its base. */
  diff: string;
  report: PlayerReport | undefined;
  noReport: string | undefined;
  honesty: readonly string[];
  /** Undefined if the project has no graph. */
  architecture: PromptArchitecture | undefined;
  budgetTokens: number;
}

export function coachPrompt(input: CoachPromptInput): Prompt {
  const { role, gates, task, turn, maxTurns, evidence } = input;
  const { previous } = splitTurns(input.turns);
  return fitPrompt(
    [
      fixedSection('role', roleSection(role)),
      fixedSection('gates', qualityGateSection(gates)),
      ...previous.map((one) => fixedSection('previous turn', coachPreviousTurnSection(one, maxTurns))),
      fixedSection(
        'turn',
        `You judge Turn ${turn} of ${maxTurns}. This folder is the candidate; it is read-only. ${QUOTING}`,
      ),
      ...taskSections(task, 50),
      fixedSection('criteria', criteriaSection(input.criteria, input.statuses)),
      architectureSection(input.architecture, input.budgetTokens),
      gateResultsSection(evidence, input.notRun),
      ...testResultSections(evidence?.tests ?? [], evidence?.changes ?? []),
      changedTestsSection(evidence?.changedTests ?? []),
      ...changeSections(evidence?.changes ?? [], input.diff),
      ...reportSections(input.report, input.noReport, input.honesty),
      fixedSection('answer', howToAnswer(gates)),
    ],
    input.budgetTokens,
  );
}

function howToAnswer({ values }: ResolvedQualityGates): string {
  const evidence = values.tests_required.value
    ? 'the exact name of one passed test or check above (not "tests" or "all pass"; if two tests have the same name, write file > name)'
    : 'the exact name of one passed test or check above, or the path of one changed file';
  return [
    '## How to Answer',
    'Judge every criterion by the facts above and the files, never by the claims of the Player. Answer with one JSON object:',
    '- decision: "approved", "feedback" (continue and address your feedback), "rejected" (wrong approach, do it differently) or "escalated" (a person must decide)',
    `- criteria: an object from every criterion id to {status, evidence}; status is "verified", "in_progress", "pending", "rejected", "failed", or "blocked" if it cannot be met as written; evidence for a verified criterion is ${evidence}`,
    values.arch_review_required.value
      ? `- arch_score: how well the change fits the architecture, from 0 to 100; required, and at least ${values.arch_review_threshold.value} for an approval`
      : '- arch_score: how well the change fits the architecture, from 0 to 100, or null',
    '- feedback: what is missing or wrong, and where, so that the Player can fix it',
    '- lessons: facts that the next turn needs',
    '- what_to_try_next: the first thing to do, or null',
    'An approval counts only if every required gate passed and every criterion is verified with such evidence; otherwise it becomes feedback.',
  ].join('\n');
}
