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
  /** The number of the last turn that may follow in this attempt. */
  maxTurns: number;
  criteria: readonly PromptCriterion[];
  /** As they stood before this turn. */
  statuses: CriterionStatuses;
  /** Before this one, the oldest first; none after a reset. */
  turns: readonly TurnState[];
  evidence: TurnEvidence | undefined;
  /** Why there is no evidence. */
  notRun: string | undefined;
  /** Of the candidate against its base. */
  diff: string;
  report: PlayerReport | undefined;
  noReport: string | undefined;
  honesty: readonly string[];
  /** Undefined where there is no graph. */
  architecture: PromptArchitecture | undefined;
  budgetTokens: number;
}

/** All that a Coach judges on. */
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
        `You judge Turn ${turn} of ${maxTurns}. This folder is the candidate, to read only. ${QUOTING}`,
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
    ? 'the exact name of one test or check above that passed ("tests" or "all pass" is none; where two tests have the same name, write file > name)'
    : 'the exact name of a check or test above that passed, or the path of one file of the change';
  return [
    '## How to Answer',
    'Judge every criterion on what is above and on the files, never on what the Player says. Answer with one JSON object:',
    '- decision: "approved", "feedback" (go on, with what you say), "rejected" (this is wrong and must be done differently) or "escalated" (a person must decide)',
    `- criteria: an object from every criterion id to {status, evidence}; status is "verified", "in_progress", "pending", "rejected", "failed", or "blocked" if it cannot be met as written; evidence for a verified one is ${evidence}`,
    values.arch_review_required.value
      ? `- arch_score: how well the change fits the architecture, from 0 to 100; required, at least ${values.arch_review_threshold.value} to be approved`
      : '- arch_score: how well the change fits the architecture, from 0 to 100, or null',
    '- feedback: what is missing or wrong and where, so that the Player can act on it',
    '- lessons: what the next turn should know',
    '- what_to_try_next: the one thing to do first, or null',
    'An approval counts only if every required gate passed and every criterion is verified on such evidence; otherwise it becomes feedback.',
  ].join('\n');
}
