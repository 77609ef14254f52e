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

/** What is known of the work that an agent of the session begins. */
interface Assignment {
  feature: Feature;
  attempt: number;
  /** What went wrong before, the oldest first. */
  failures: readonly Failure[];
  /** What is remembered that resembles it; empty where nothing is. */
  precedents: string;
}

const MAX_CRITERIA = 100;
const MAX_DESCRIPTION = 4000;
const MAX_NOTES = 4000;
const MAX_FAILURE = 3000;

/** What a coding agent is given when it begins. */
export function tellCoding(given: Assignment): string {
  const { feature, attempt, failures, precedents } = given;
  return join([
    `GuardKit: you implement ${title(feature)}. This is attempt ${attempt} of ${MAX_ATTEMPTS}.`,
    ...about(feature),
    ...(failures.length > 0
      ? ['What failed before, and is to be mended first:', ...failures.map(tellFailure)]
      : []),
    precedents,
    `When it is ready, end with this line, after a few words on what you made and how each criterion is met:\nIMPLEMENTATION COMPLETE - Feature ${feature.id} ready for testing`,
    `If it cannot be done, end with this line, and say what you tried and the smallest question whose answer would help:\nIMPLEMENTATION BLOCKED - Feature ${feature.id}`,
  ]);
}

/** What a tester is given when it begins. */
export function tellTester(given: Assignment): string {
  const { feature, attempt, failures, precedents } = given;
  return join([
    `GuardKit: you test ${title(feature)}. This is attempt ${attempt} of ${MAX_ATTEMPTS}.`,
    ...about(feature),
    ...(failures.length > 0 ? ['What failed in an earlier attempt:', ...failures.map(tellFailure)] : []),
    precedents,
    'Whatever you say, GuardKit runs the gates when you have ended. You look for what they cannot see.',
    'End with one line that begins with PASSED: or with FAILED:, and say for each fault what you did, saw and expected.',
  ]);
}

/** What an initializer is given when it begins. */
export function tellInitializer(
  { text, source }: { text: string; source: string },
  failures: readonly Failure[],
  sharedPatterns: readonly string[] = [],
): string {
  return join([
    'GuardKit: you set this project up and write its features. Write them as JSON into a file of your own and run `guardkit feature import FILE`, which puts them into `.claude/progress/feature-list.json`; remove your file then.',
    QUOTING,
    text === ''
      ? 'Nobody wrote down what is wanted: find it out from what is in the project.'
      : `What is wanted, from ${oneLine(source, 200)}:\n${quoteBlock(text, 'brief')}`,
    'Every feature needs an id, a description and at least one acceptance criterion that can be seen or measured. What a feature depends on is in the list too.',
    'Leave a project whose tests can be run by one command: GuardKit recognises `npm test`, pytest, go test, cargo test and maven. What you leave is what all later work is judged against.',
    ...(failures.length > 0
      ? ['What was wrong with the list you wrote before:', ...failures.map(tellFailure)]
      : []),
    ...(sharedPatterns.length > 0
      ? [
          'What went wrong again and again in other projects:',
          ...sharedPatterns.map((line) => `- ${oneLine(line, 400)}`),
        ]
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
    ui ? 'It has a user interface: what people see is part of it.' : '',
    notes === '' ? '' : `Notes so far:\n${quoteBlock(tail(notes, MAX_NOTES), 'notes')}`,
    files.length === 0 ? '' : `Files: ${oneLine(files.slice(0, 50).join(', '), 2000)}`,
  ];
}

/** A criterion's text often begins with its id. */
function criterion(id: string, text: string): string {
  const words = oneLine(text, 1000);
  return words.startsWith(id) ? words : `${oneLine(id, 80)}: ${words}`;
}

function tellFailure({ attempt, outcome, why, tried, gates }: Failure): string {
  const at = gates.length === 0 ? '' : ` at ${oneLine(gates.join(', '), 300)}`;
  const words = [why, ...(tried === '' ? [] : [`What was tried: ${tried}`])].join('\n');
  return `Attempt ${attempt} ended with ${oneLine(outcome, 60)}${at}:\n${quoteBlock(cutText(words, MAX_FAILURE), 'failure')}`;
}

/** The newest notes stand last. */
function tail(text: string, limit: number): string {
  return text.length <= limit ? text : `… ${text.slice(-limit)}`;
}

function join(parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join('\n\n');
}

/** What is remembered that resembles a feature, for the agent that is about to begin it; empty where memory has nothing or is away. */
export async function recallPrecedents(
  ground: SessionContext,
  feature: Feature,
  agent: 'coding' | 'tester',
): Promise<string> {
  const { project } = ground;
  const settings = await memoryOf(ground);
  const about = `${feature.id} ${feature.name} ${feature.description}`;
  const { text } = await recall(settings, project, { about, agent, feature: feature.id });
  return text;
}

/** What went wrong again and again in other projects, for the agent that begins this one. */
export async function recallShared(ground: SessionContext): Promise<string[]> {
  return recallSharedPatterns(await memoryOf(ground));
}

async function memoryOf({ checkout, dataFolder, env }: SessionContext): Promise<StoreSettings> {
  const read = await readProjectConfig(checkout);
  return storeSettings(read.ok ? read.value : {}, env, dataFolder);
}
