import { join } from 'node:path';
import type { CoachVerdict, PlayerReport } from '../../src/domain/entities/agent-answers.ts';
import type { JsonObject } from '../../src/domain/json/json.ts';
import { BuildProject, type Built, type BuiltJson } from '../support/build-project.ts';
import type { CliResult } from '../support/cli.ts';
import { BASE_FILES, testFile } from '../support/verified-project.ts';

/** One step of a model, whatever its service. Paths are relative to the agent's folder. */
export type Act =
  | { run: string }
  | { write: string; content: string }
  | { read: string }
  | { say: string }
  | { answer: Readonly<Record<string, unknown>> };

/** A message of a conversation. */
export interface Heard {
  text: string;
  byModel: boolean;
}

type Role = 'Planner' | 'Player' | 'Coach';
type Plays = Partial<Record<`${Role} ${number}`, readonly Act[]>>;

/** The acts of all agents of a build. They are recognized by their prompts. */
export class BuildScript {
  readonly #plays: Plays;
  /** Requests without a scripted act. */
  readonly unexpected: string[] = [];
  /** Every conversation so far, by agent and step. */
  readonly heard: { who: string; step: number; conversation: readonly Heard[] }[] = [];

  constructor(plays: Plays) {
    this.#plays = plays;
  }

  next(conversation: readonly Heard[]): Act {
    const at = conversation.findLastIndex(({ byModel, text }) => !byModel && roleIn(text) !== undefined);
    const prompt = conversation[at]?.text ?? '';
    const turns = [...prompt.matchAll(/\bTurn (\d+) of \d/g)].map(([, number]) => Number(number));
    const who = `${roleIn(prompt) ?? 'Planner'} ${Math.max(1, ...turns)}` as const;
    const step = conversation.slice(at).filter(({ byModel }) => byModel).length;
    const act = this.#plays[who as keyof Plays]?.[step];
    this.heard.push({ who, step, conversation });
    if (act) return act;
    this.unexpected.push(`${who}, step ${step}`);
    return { say: 'I have nothing to say.' };
  }
}

function roleIn(text: string): string | undefined {
  return /^## Your Role: (Planner|Player|Coach)$/m.exec(text)?.[1];
}

/** How an agent gets its script. */
export interface StagedAgent {
  /** Under `drivers:` in the project's configuration. */
  settings: JsonObject;
  env: Record<string, string>;
}

export const TEST_NAME = 'AC-001 subtracts two numbers';
const WRONG = 'export const sub = (a, b) => b - a;\n';
const RIGHT = 'export const sub = (a, b) => a - b;\n';
/** Agents may not change it. */
export const FORBIDDEN = '.guardkit/config.yaml';

/** A Player that first tries to change the rules, then claims too much, adds a failing test, and repairs the code. */
export function threeTurns(): Plays {
  return {
    'Planner 1': [{ say: '# Plan\n\n1. Write src/sub.js\n2. Show AC-001 with test/sub.test.js\n' }],
    'Player 1': [
      { run: `echo 'project: calc-1234' > ${FORBIDDEN}` },
      { write: FORBIDDEN, content: 'project: calc-1234\n' },
      { write: 'src/sub.js', content: WRONG },
      report({ files_modified: ['src/sub.js'], tests_passed: 12, tests_failed: 0 }),
    ],
    'Coach 1': [
      { read: 'src/sub.js' },
      { write: 'src/sub.js', content: RIGHT },
      verdict({ criteria: { 'AC-001': { status: 'verified', evidence: 'tests' } }, feedback: 'Looks fine.' }),
    ],
    'Player 2': [
      { write: 'test/sub.test.js', content: testFile(TEST_NAME, 'sub', 'sub(3, 2)', '1') },
      report({ summary: 'Added a test', files_modified: ['test/sub.test.js'], tests_passed: 2 }),
    ],
    'Coach 2': [
      verdict({
        decision: 'rejected',
        criteria: { 'AC-001': { status: 'failed', evidence: null } },
        feedback: 'sub(3, 2) gives -1.',
      }),
    ],
    'Player 3': [
      { run: `printf '%s\\n' '${RIGHT.trim()}' > src/sub.js` },
      { run: 'node --test test/*.test.js' },
      report({ files_modified: ['src/sub.js'], tests_passed: 2, tests_failed: 0 }),
    ],
    'Coach 3': [verdict({ criteria: { 'AC-001': { status: 'verified', evidence: TEST_NAME } } })],
  };
}

function report(given: Partial<PlayerReport>): Act {
  const whole: PlayerReport = {
    decision: 'implemented',
    summary: 'Added sub',
    files_modified: [],
    tests_passed: null,
    tests_failed: null,
    criteria: { 'AC-001': 'verified' },
    progress: '',
    blockers: [],
    lessons: [],
    ...given,
  };
  return { answer: whole };
}

function verdict(given: Partial<CoachVerdict>): Act {
  const whole: CoachVerdict = {
    decision: 'approved',
    criteria: {},
    arch_score: 80,
    feedback: '',
    lessons: [],
    what_to_try_next: null,
    ...given,
  };
  return { answer: whole };
}

export interface ScriptedBuild {
  project: BuildProject;
  built: Built;
}

type Env = (project: BuildProject) => Record<string, string>;

/** A build of TASK-001 through the real programs, in a new project with these drivers or in an earlier one. */
export async function tryScriptedBuild(
  where: JsonObject | BuildProject,
  args: readonly string[],
  env: Env,
): Promise<{ project: BuildProject; result: CliResult }> {
  const project = where instanceof BuildProject ? where : projectWith(where);
  const result = await project.guardkit(['feature-build', 'TASK-001', '--json', ...args], {
    env: { ...project.sandbox.env, ...env(project) },
  });
  return { project, result };
}

function projectWith(drivers: JsonObject): BuildProject {
  const config = `${BASE_FILES['.guardkit/config.yaml']}drivers: ${JSON.stringify(drivers)}\n`;
  return new BuildProject({ ...BASE_FILES, '.guardkit/config.yaml': config });
}

export async function runScriptedBuild(
  where: JsonObject | BuildProject,
  args: readonly string[],
  env: Env,
): Promise<ScriptedBuild> {
  const { project, result } = await tryScriptedBuild(where, args, env);
  const json = JSON.parse(result.stdout) as BuiltJson;
  if (json.outcome === undefined) throw new Error(`nothing was built: ${result.stdout} ${result.stderr}`);
  return { project, built: { ...result, json, turns: json.tasks?.[0]?.turns ?? [] } };
}

/** Agent, tool, turn and guard of every refusal on record. */
export function refusalsOf(project: BuildProject): unknown[][] {
  return project
    .entries()
    .filter(({ kind, body }) => kind === 'action_judged' && body.decision === 'deny')
    .map(({ body }) => {
      const [first] = body.findings as { guard: string }[];
      return [body.agent, body.agent_type, body.turn, first?.guard];
    });
}

export function pathWith(program: string, { PATH = '' }: Record<string, string | undefined>): string {
  return `${join(program, '..')}:${PATH}`;
}
