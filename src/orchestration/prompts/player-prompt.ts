import type { FailedApproach } from '../../domain/entities/failed-approach.ts';
import type { TurnState } from '../../domain/entities/turn-state.ts';
import { oneLine } from '../../domain/json/clean-text.ts';
import type { PathChange } from '../../platform/git/git-tree.ts';
import { roleSection } from '../../rules/prompt-sections.ts';
import type { ResolvedRole } from '../../rules/resolve-role-constraints.ts';
import type { CriterionStatuses } from '../turns/criterion-status.ts';
import type { TurnMode } from '../turns/turn-lifecycle.ts';
import { architectureSection, PLAYER_ADVICE, type PromptArchitecture } from './architecture-section.ts';
import { fitPrompt } from './fit-prompt.ts';
import {
  blockSection,
  fixedSection,
  linesSection,
  type Prompt,
  type PromptSection,
} from './prompt-section.ts';
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
  /** The number of the last turn allowed in this attempt. */
  maxTurns: number;
  mode: TurnMode;
  plan: string;
  criteria: readonly PromptCriterion[];
  statuses: CriterionStatuses;
  /** Earlier turns, the oldest first; a fresh start shows none. */
  turns: readonly TurnState[];
  failedApproaches: readonly FailedApproach[];
  /** From memory, marked as such; empty if there are none. */
  precedents?: string | undefined;
  /** For a turn in mode `recovering_state`. */
  recovery: Recovery | undefined;
  /** Undefined if the project has no graph. */
  architecture: PromptArchitecture | undefined;
  budgetTokens: number;
}

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
  'First do the work in this folder: change the files and write tests that prove it. Then GuardKit runs the tests, coverage and checks itself and compares your answer with the diff, so report only facts. Answer with one JSON object:',
  '- decision: "implemented" if it is done, "failed" if you could not do it, "blocked" if something outside the task stops you',
  '- summary: what you did, in a few sentences',
  '- files_modified: every file you changed, added or deleted, relative to this folder',
  '- tests_passed, tests_failed: the counts of your own run, or null if you ran none',
  '- criteria: an object from criterion id to "verified", "in_progress", "pending", "failed" or "blocked"',
  '- progress: the state of the task, in one sentence',
  '- blockers: what stops you, each with proof',
  '- lessons: facts that the next turn needs',
].join('\n');

/** The state of a worktree from an earlier run. */
export interface Recovery {
  /** The turn that was cut off, if any. */
  unfinishedTurn: number | undefined;
  /** The last commit in the worktree, as `hash subject`. */
  head: string;
  /** Everything that differs from the base. */
  committed: readonly PathChange[];
  /** Uncommitted changes. */
  uncommitted: readonly PathChange[];
}

const HEADING = '## Recovery: Files on Disk';

/** Lists the changes on disk for a Player that did not make them. */
function recoverySection(recovery: Recovery): PromptSection {
  const { unfinishedTurn, head, committed, uncommitted } = recovery;
  const begun = unfinishedTurn === undefined ? 'An earlier run ended' : `Turn ${unfinishedTurn} was cut off`;
  const heading = [
    HEADING,
    `${begun}. Read the existing work before you change it. Keep what is right; fix or remove what is unfinished.`,
    `Last commit: ${oneLine(head, 200)}`,
    committed.length === 0 ? 'Nothing differs from the base.' : `Differs from the base: ${count(committed)}.`,
    uncommitted.length === 0 ? 'Nothing is uncommitted.' : `Uncommitted: ${count(uncommitted)}.`,
  ].join('\n');
  const open = new Set(uncommitted.map(({ path }) => path));
  const lines = [
    ...uncommitted.map(({ path, change }) => `- ${change}, uncommitted: ${oneLine(path, 300)}`),
    ...committed
      .filter(({ path }) => !open.has(path))
      .map(({ path, change }) => `- ${change}: ${oneLine(path, 300)}`),
  ];
  const section = linesSection('recovery', heading, lines, { priority: 80 });
  return lines.length > 0 ? section : { ...section, render: () => ({ text: heading, leftOut: [] }) };
}

function count(changes: readonly PathChange[]): string {
  return `${changes.length} ${changes.length === 1 ? 'file' : 'files'}`;
}
