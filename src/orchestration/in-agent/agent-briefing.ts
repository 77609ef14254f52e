import { readProjectConfig } from '../../config/project/project-config.ts';
import { type StoreSettings, storeSettings } from '../../config/project/workspace.ts';
import type { Feature } from '../../domain/entities/feature.ts';
import { cutText, oneLine } from '../../domain/json/clean-text.ts';
import { recallSharedPatterns } from '../../learning/patterns/shared-patterns.ts';
import { recallPrecedents as recall } from '../../learning/precedents/precedents-for.ts';
import { quoteBlock } from '../prompts/prompt-section.ts';
import { QUOTING } from '../prompts/task-sections.ts';
import { type Failure, MAX_ATTEMPTS } from '../session/session.ts';
import type { SessionContext } from './session-context.ts';

/** The work for an agent of the session. */
interface Assignment {
  feature: Feature;
  attempt: number;
  /** Earlier failures, the oldest first. */
  failures: readonly Failure[];
  /** Precedents from memory; empty if there are none. */
  precedents: string;
}

const MAX_CRITERIA = 100;
const MAX_DESCRIPTION = 4000;
const MAX_NOTES = 4000;
const MAX_FAILURE = 3000;

/** The instructions for a coding agent. */
export function briefCodingAgent(given: Assignment): string {
  const { feature, attempt, failures, precedents } = given;
  return join([
    `GuardKit: implement ${title(feature)}. This is attempt ${attempt} of ${MAX_ATTEMPTS}.`,
    ...about(feature),
    ...(failures.length > 0 ? ['Fix these earlier failures first:', ...failures.map(describeFailure)] : []),
    precedents,
    `When it is done, summarize what you made and how each criterion is met, then end with this line:\nIMPLEMENTATION COMPLETE - Feature ${feature.id} ready for testing`,
    `If it cannot be done, describe what you tried and the smallest question that would help, then end with this line:\nIMPLEMENTATION BLOCKED - Feature ${feature.id}`,
  ]);
}

/** The instructions for a tester. */
export function briefTester(given: Assignment): string {
  const { feature, attempt, failures, precedents } = given;
  return join([
    `GuardKit: test ${title(feature)}. This is attempt ${attempt} of ${MAX_ATTEMPTS}.`,
    ...about(feature),
    ...(failures.length > 0 ? ['Earlier failures:', ...failures.map(describeFailure)] : []),
    precedents,
    'GuardKit runs the gates after you in any case. Look for what they cannot see.',
    'For each problem, describe what you did, saw and expected. End with one line that begins with PASSED: or FAILED:.',
  ]);
}

/** The instructions for an initializer. */
export function briefInitializer(
  { text, source }: { text: string; source: string },
  failures: readonly Failure[],
  sharedPatterns: readonly string[] = [],
): string {
  return join([
    'GuardKit: set up this project and write its features. Write them as JSON to a new file and run `guardkit feature import FILE`, which adds them to `.claude/progress/feature-list.json`; then delete your file.',
    QUOTING,
    text === ''
      ? 'There is no brief: derive the features from the project.'
      : `The brief, from ${oneLine(source, 200)}:\n${quoteBlock(text, 'brief')}`,
    'Every feature needs an id, a description and at least one acceptance criterion that can be seen or measured. Every dependency must be a feature in the list.',
    'Set up the project so that one command runs its tests: GuardKit detects `npm test`, pytest, go test, cargo test and maven. All later work is judged against what you leave.',
    ...(failures.length > 0 ? ['Faults in your previous list:', ...failures.map(describeFailure)] : []),
    ...(sharedPatterns.length > 0
      ? ['Recurring problems in other projects:', ...sharedPatterns.map((line) => `- ${oneLine(line, 400)}`)]
      : []),
  ]);
}

function title({ id, name }: Feature): string {
  return name === '' ? id : `${id} (${oneLine(name, 200)})`;
}

function about({ description, acceptance_criteria, notes, files, ui }: Feature): string[] {
  const criteria = acceptance_criteria.slice(0, MAX_CRITERIA);
  return [
    QUOTING,
    ...(description === '' ? [] : [quoteBlock(cutText(description, MAX_DESCRIPTION), 'description')]),
    criteria.length === 0
      ? ''
      : ['Acceptance criteria:', ...criteria.map(({ id, text }) => `- ${criterion(id, text)}`)].join('\n'),
    ui ? 'It has a user interface, which is part of the feature.' : '',
    notes === '' ? '' : `Notes so far:\n${quoteBlock(tail(notes, MAX_NOTES), 'notes')}`,
    files.length === 0 ? '' : `Files: ${oneLine(files.slice(0, 50).join(', '), 2000)}`,
  ];
}

/** A criterion's text often begins with its id. */
function criterion(id: string, text: string): string {
  const words = oneLine(text, 1000);
  return words.startsWith(id) ? words : `${oneLine(id, 80)}: ${words}`;
}

function describeFailure({ attempt, outcome, why, tried, gates }: Failure): string {
  const at = gates.length === 0 ? '' : ` at ${oneLine(gates.join(', '), 300)}`;
  const words = [why, ...(tried === '' ? [] : [`Tried: ${tried}`])].join('\n');
  return `Attempt ${attempt} ended with ${oneLine(outcome, 60)}${at}:\n${quoteBlock(cutText(words, MAX_FAILURE), 'failure')}`;
}

/** The newest notes are last. */
function tail(text: string, limit: number): string {
  return text.length <= limit ? text : `… ${text.slice(-limit)}`;
}

function join(parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join('\n\n');
}

/** Precedents for a feature; empty if memory has none or is unavailable. */
export async function recallPrecedents(
  context: SessionContext,
  feature: Feature,
  agent: 'coding' | 'tester',
): Promise<string> {
  const { project } = context;
  const settings = await memoryOf(context);
  const about = `${feature.id} ${feature.name} ${feature.description}`;
  const { text } = await recall(settings, project, { about, agent, feature: feature.id });
  return text;
}

/** Recurring problems from other projects, for the initializer. */
export async function recallShared(context: SessionContext): Promise<string[]> {
  return recallSharedPatterns(await memoryOf(context));
}

async function memoryOf({ checkout, dataFolder, env }: SessionContext): Promise<StoreSettings> {
  const read = await readProjectConfig(checkout);
  return storeSettings(read.ok ? read.value : {}, env, dataFolder);
}
