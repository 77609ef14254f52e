import type { FailedApproach } from '../../domain/entities/failed-approach.ts';
import { qualityGateSection } from '../../rules/prompt-sections.ts';
import type { ResolvedQualityGates } from '../../rules/resolve-quality-gates.ts';
import { architectureSection, PLANNER_ADVICE, type PromptArchitecture } from './architecture-section.ts';
import { fitPrompt } from './fit-prompt.ts';
import { fixedSection, type Prompt } from './prompt-section.ts';
import {
  criteriaSection,
  failedApproachesSection,
  type PromptCriterion,
  type PromptTask,
  QUOTING,
  taskSections,
} from './task-sections.ts';

export interface PlanningPromptInput {
  task: PromptTask;
  gates: ResolvedQualityGates;
  criteria: readonly PromptCriterion[];
  failedApproaches: readonly FailedApproach[];
  /** Undefined where there is no graph. */
  architecture: PromptArchitecture | undefined;
  budgetTokens: number;
}

/** Asks for the plan that a Player then follows. */
export function planningPrompt(input: PlanningPromptInput): Prompt {
  return fitPrompt(
    [
      fixedSection(
        'role',
        `## Your Role: Planner\nYou plan one task that another agent implements. You change no file. ${QUOTING}`,
      ),
      ...taskSections(input.task, 60),
      fixedSection('criteria', criteriaSection(input.criteria, {})),
      architectureSection(input.architecture, input.budgetTokens, PLANNER_ADVICE),
      fixedSection('gates', qualityGateSection(input.gates)),
      failedApproachesSection(input.failedApproaches),
      fixedSection('answer', HOW_TO_ANSWER),
    ],
    input.budgetTokens,
  );
}

const HOW_TO_ANSWER = [
  '## How to Answer',
  'Look at the code first. Answer with the plan alone, in Markdown, at most two pages:',
  '- the approach, and why this one',
  '- the steps in their order, each with the files that it changes or adds',
  '- for every criterion, by its id, the test or check that will show it',
  '- what could go wrong, and what to leave alone',
].join('\n');
