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
  /** Undefined if the project has no graph. */
  architecture: PromptArchitecture | undefined;
  budgetTokens: number;
}

export function planningPrompt(input: PlanningPromptInput): Prompt {
  return fitPrompt(
    [
      fixedSection(
        'role',
        `## Your Role: Planner\nPlan one task that another agent implements. Do not change any file. ${QUOTING}`,
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
  'Read the code first. Answer with the plan only, in Markdown, at most two pages:',
  '- the approach and the reason for it',
  '- the steps in order, each with the files to change or add',
  '- for every criterion id, the test or check that will prove it',
  '- the risks, and what to leave alone',
].join('\n');
