import { oneLine } from '../../domain/json/clean-text.ts';
import { fitPrompt } from './fit-prompt.ts';
import { blockSection, fixedSection, linesSection, type Prompt } from './prompt-section.ts';
import { QUOTING } from './task-sections.ts';

export interface InitializerPromptInput {
  brief: { name: string; text: string };
  /** The base says how the project is tested. */
  hasTests: boolean;
  /** What was wrong with the answer before. */
  faults: readonly string[];
  /** What went wrong again and again in other projects, a line each. */
  sharedPatterns?: readonly string[];
  budgetTokens: number;
}

/** Asks for the features that the agents of a run then build. */
export function initializerPrompt(input: InitializerPromptInput): Prompt {
  return fitPrompt(
    [
      fixedSection(
        'role',
        `## Your Role: Initializer\nYou break a brief down into features that other agents build one after the other, with nobody to ask. ${QUOTING}`,
      ),
      blockSection('brief', `## The Brief (${oneLine(input.brief.name, 200)})`, input.brief.text, 90),
      linesSection(
        'faults',
        '## Your Last Answer Was Refused (MUST ADDRESS)',
        input.faults.map((fault) => `- ${oneLine(fault, 1000)}`),
        { priority: 95 },
      ),
      linesSection(
        'shared patterns',
        '## What Went Wrong Again and Again in Other Projects',
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
  '## The Project\nHow it is tested is configured already. Look at what is there; change a file only where a feature could not be begun without it.';
const UNTESTED = [
  '## The Project',
  'How it is tested is not configured. Set up what is needed to run tests, and nothing more: a manifest, a test runner, a',
  'first test that passes. Give the command that runs the tests as `verify.tests.command`, and one that makes a fresh',
  'checkout runnable as `verify.setup` if there is any. It must pass before anything is built.',
].join('\n');

const HOW_TO_ANSWER = [
  '## How to Answer',
  'Answer with the features. Each of them:',
  '- is small enough for one agent in a few hours, and leaves the project working',
  '- has acceptance criteria that a test can show: what is put in, and what comes out',
  '- names in `dependencies` the features whose code it needs, and no others; never in a circle',
  '- has a priority, 1 first, so that what everything else needs comes early',
  'Do not write .guardkit/ or the feature list yourself: GuardKit makes them of your answer, and looks whether it stands.',
].join('\n');
