import type { FailedApproach } from '../../domain/entities/failed-approach.ts';
import type { TurnState } from '../../domain/entities/turn-state.ts';
import { roleSection } from '../../rules/prompt-sections.ts';
import type { ResolvedRole } from '../../rules/resolve-role-constraints.ts';
import type { CriterionStatuses } from '../turns/criterion-status.ts';
import type { TurnMode } from '../turns/turn-lifecycle.ts';
import { architectureSection, PLAYER_ADVICE, type PromptArchitecture } from './architecture-section.ts';
import { fitPrompt } from './fit-prompt.ts';
import { blockSection, fixedSection, type Prompt } from './prompt-section.ts';
import { type Recovery, recoverySection } from './recovery-section.ts';
import {
  criteriaSection,
  failedApproachesSection,
  type PromptCriterion,
  type PromptTask,
  QUOTING,
  taskSections,
} from './task-sections.ts';
import { earlierTurnsSection, previousTurnSection, splitTurns } from './turn-history-sections.ts';

export interface PlayerPromptInput {
  role: ResolvedRole;
  task: PromptTask;
  /** Of this turn. */
  turn: number;
  /** The number of the last turn that may follow in this attempt. */
  maxTurns: number;
  mode: TurnMode;
  plan: string;
  criteria: readonly PromptCriterion[];
  statuses: CriterionStatuses;
  /** Before this one, the oldest first; none are told in a fresh start. */
  turns: readonly TurnState[];
  failedApproaches: readonly FailedApproach[];
  /** From memory, marked as such; empty where there is nothing. */
  precedents?: string | undefined;
  /** For a turn that recovers. */
  recovery: Recovery | undefined;
  /** Undefined where there is no graph. */
  architecture: PromptArchitecture | undefined;
  budgetTokens: number;
}

/** All that a Player gets to know before its turn. */
export function playerPrompt(input: PlayerPromptInput): Prompt {
  const { role, task, turn, maxTurns, mode, criteria, statuses } = input;
  const { previous, earlier } = splitTurns(mode === 'fresh_start' ? [] : input.turns);
  return fitPrompt(
    [
      fixedSection('role', roleSection(role)),
      fixedSection('turn', `This is Turn ${turn} of ${maxTurns} (${mode}). ${QUOTING}`),
      ...taskSections(task, 60),
      blockSection('plan', '## Implementation Plan', input.plan, 50),
      fixedSection('criteria', criteriaSection(criteria, statuses)),
      architectureSection(input.architecture, input.budgetTokens, PLAYER_ADVICE),
      ...(mode === 'recovering_state' && input.recovery ? [recoverySection(input.recovery)] : []),
      ...previous.map((one) => fixedSection('previous turn', previousTurnSection(one, criteria))),
      earlierTurnsSection(earlier),
      failedApproachesSection(input.failedApproaches),
      ...(input.precedents ? [fixedSection('precedents', precedentsSection(input.precedents), 25)] : []),
      fixedSection('answer', HOW_TO_ANSWER),
    ],
    input.budgetTokens,
  );
}

function precedentsSection(text: string): string {
  return `## Precedents\n${text}`;
}

const HOW_TO_ANSWER = [
  '## How to Answer',
  'Do the work in this folder first: change the files, and write the tests that show it. GuardKit then runs the tests, the coverage and the checks itself and compares your answer with the diff, so say only what is so. Answer with one JSON object:',
  '- decision: "implemented" if it is done, "failed" if you could not do it, "blocked" if something outside stops you',
  '- summary: what you did, in a few sentences',
  '- files_modified: every file that you changed, added or deleted, relative to this folder',
  '- tests_passed, tests_failed: as many as you saw in your own run, or null if you ran none',
  '- criteria: an object from criterion id to "verified", "in_progress", "pending", "failed" or "blocked"',
  '- progress: how far the task is, in a sentence',
  '- blockers: what stops you, each with what shows it',
  '- lessons: what the next turn should know',
].join('\n');
