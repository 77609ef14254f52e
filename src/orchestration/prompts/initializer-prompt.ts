import { oneLine } from '../../domain/json/clean-text.ts';
import { fitPrompt } from './fit-prompt.ts';
import { blockSection, fixedSection, linesSection, type Prompt } from './prompt-section.ts';
import { QUOTING } from './task-sections.ts';

export interface InitializerPromptInput {
  brief: { name: string; text: string };
  /** The base defines a test command. */
  hasTests: boolean;
  /** Faults in the previous answer. */
  faults: readonly string[];
  /** Recurring problems from other projects, one line each. */
  sharedPatterns?: readonly string[];
  budgetTokens: number;
}

/** Asks for the features that a run builds. */
export function initializerPrompt(input: InitializerPromptInput): Prompt {
  return fitPrompt(
    [
      fixedSection(
        'role',
        `## Your Role: Initializer\nBreak the brief down into features. Other agents build them one after another and cannot ask questions. ${QUOTING}`,
      ),
      blockSection('brief', `## The Brief (${oneLine(input.brief.name, 200)})`, input.brief.text, 90),
      linesSection(
        'faults',
        '## Your Last Answer Was Rejected (MUST ADDRESS)',
        input.faults.map((fault) => `- ${oneLine(fault, 1000)}`),
        { priority: 95 },
      ),
      linesSection(
        'shared patterns',
        '## Recurring Problems in Other Projects',
        (input.sharedPatterns ?? []).map((line) => `- ${oneLine(line, 400)}`),
        { priority: 25 },
      ),
      fixedSection('set-up', input.hasTests ? TESTED : UNTESTED),
      fixedSection('answer', HOW_TO_ANSWER),
    ],
    input.budgetTokens,
  );
}

const TESTED =
  '## The Project\nIts tests are already configured. Read the project first. Change a file only if no feature could start without the change.';
const UNTESTED = [
  '## The Project',
  'No test command is configured. Set up only what is needed to run tests: a manifest, a test runner, a first passing',
  'test. Put the test command in `verify.tests.command` and, if a fresh checkout needs preparation, that command in',
  '`verify.setup`. The tests must pass before anything is built.',
].join('\n');

const HOW_TO_ANSWER = [
  '## How to Answer',
  'Answer with the features. Each feature:',
  '- is small enough for one agent in a few hours, and leaves the project working',
  '- has acceptance criteria that a test can check: input and expected output',
  '- lists in `dependencies` only the features whose code it needs; no cycles',
  '- has a priority; 1 is first, for what other features need',
  'Do not write .guardkit/ or the feature list yourself: GuardKit creates them from your answer and checks them.',
].join('\n');
