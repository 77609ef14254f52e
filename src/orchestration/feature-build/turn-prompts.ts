import { GRAPH_PATH } from '../../architecture/file/graph-file.ts';
import { readGraph } from '../../architecture/graph/read-graph.ts';
import type { PlayerReport } from '../../domain/entities/agent-answers.ts';
import { recallPrecedents } from '../../learning/precedents/precedents-for.ts';
import { changedPaths, readTreeFile, snapshotTree } from '../../platform/git/git-tree.ts';
import { resolveRoleConstraints } from '../../rules/resolve-role-constraints.ts';
import type { PromptArchitecture } from '../prompts/architecture-section.ts';
import { coachPrompt } from '../prompts/coach-prompt.ts';
import { planningPrompt } from '../prompts/planning-prompt.ts';
import { playerPrompt, type Recovery } from '../prompts/player-prompt.ts';
import type { Prompt } from '../prompts/prompt-section.ts';
import type { TurnEvidence } from '../turns/turn-evidence.ts';
import { wasCutOff } from '../turns/turn-lifecycle.ts';
import { criterionStates, currentStatuses } from '../turns/turn-record.ts';
import type { TaskContext } from './build-context.ts';
import type { TurnPlan } from './turn-plan.ts';

const DIFF = ['diff', '--no-color', '--no-ext-diff', '--no-textconv', '--find-renames'];
/** More than any prompt can contain; the prompt is cut to its budget. */
const MAX_DIFF_BYTES = 4 * 1024 * 1024;

export async function planningPromptFor(context: TaskContext): Promise<Prompt> {
  return planningPrompt({
    task: promptTask(context),
    gates: gatesOf(context),
    criteria: context.criteria,
    failedApproaches: context.failedApproaches,
    architecture: await readArchitecture(context, await context.worktree.tip()),
    budgetTokens: context.promptTokens,
  });
}

export async function playerPromptFor(
  context: TaskContext,
  plan: TurnPlan,
  written: string,
): Promise<Prompt> {
  return playerPrompt({
    role: resolveRoleConstraints(context.sources, 'player'),
    task: promptTask(context),
    turn: plan.number,
    maxTurns: plan.lastNumber,
    mode: plan.mode,
    plan: written,
    criteria: context.criteria,
    statuses: statusesOf(plan, context),
    turns: plan.history,
    failedApproaches: context.failedApproaches,
    precedents: await precedentsOf(context, plan),
    recovery: plan.mode === 'recovering_state' ? await examine(context, plan) : undefined,
    architecture: await readArchitecture(context, await context.worktree.tip(), { plan: written }),
    budgetTokens: context.promptTokens,
  });
}

/** Precedents for the Player; empty if memory is unavailable. */
async function precedentsOf(
  { store, project, record, task, taskText }: TaskContext,
  { history }: TurnPlan,
): Promise<string> {
  // The last feedback comes first, to find how it was resolved before.
  const feedback = history.at(-1)?.coach_feedback?.slice(0, 300) ?? '';
  const about = `${feedback} ${record.featureId} ${task.id} ${task.title} ${taskText}`;
  const question = { about, agent: 'player', feature: record.featureId, task: task.id };
  return (await recallPrecedents(store, project, question)).text;
}

export async function coachPromptFor(
  context: TaskContext,
  plan: TurnPlan,
  judged: { report: PlayerReport; evidence: TurnEvidence; honesty: readonly string[]; commit: string },
): Promise<Prompt> {
  const { stdout } = await context.repository.attempt([...DIFF, context.baseCommit, judged.commit], {
    maxOutputBytes: MAX_DIFF_BYTES,
  });
  return coachPrompt({
    role: resolveRoleConstraints(context.sources, 'coach'),
    gates: gatesOf(context),
    task: promptTask(context),
    turn: plan.number,
    maxTurns: plan.lastNumber,
    criteria: context.criteria,
    statuses: statusesOf(plan, context),
    turns: plan.history,
    evidence: judged.evidence,
    notRun: undefined,
    diff: stdout,
    report: judged.report,
    noReport: undefined,
    honesty: judged.honesty,
    architecture: await readArchitecture(context, judged.commit, {
      files: judged.evidence.changes.map(({ path }) => path),
    }),
    budgetTokens: context.promptTokens,
  });
}

function promptTask({ record, task, taskText }: TaskContext) {
  return { featureId: record.featureId, id: task.id, title: task.title, text: taskText };
}

function gatesOf({ definition, task }: TaskContext) {
  const own = definition.rules.gates.find(
    ({ task_type, complexity }) => task_type === task.task_type && complexity === task.complexity,
  );
  if (!own) throw new Error(`no gates were resolved for ${task.id}`);
  return own;
}

function statusesOf({ history }: TurnPlan, { criteria }: TaskContext) {
  return currentStatuses(criterionStates(history), criteria);
}

async function examine(
  { worktree, repository, baseCommit }: TaskContext,
  { history }: TurnPlan,
): Promise<Recovery> {
  const tip = await worktree.tip();
  const head = (await repository.run(['log', '-1', '--format=%h %s', tip])).trim();
  const tree = await snapshotTree(worktree.repository, []);
  return {
    unfinishedTurn: history.findLast(wasCutOff)?.turn_number,
    head,
    committed: await changedPaths(repository, baseCommit, tip),
    uncommitted: await changedPaths(repository, tip, tree),
  };
}

/** How much text is searched for file names. */
const LONGEST_TEXT = 100_000;
const MOST_FILES = 200;

/**
 * A commit's architecture graph, with the text and files of the task; undefined if there is none. Read from git, because
 * an agent may have put a link into the folder.
 */
async function readArchitecture(
  { repository, task, taskText, criteria }: TaskContext,
  commit: string,
  { plan = '', files = [] }: { plan?: string; files?: readonly string[] } = {},
): Promise<PromptArchitecture | undefined> {
  const written = await readTreeFile(repository, commit, GRAPH_PATH);
  if (written === undefined) return undefined;
  const said = [task.title, taskText, ...criteria.map(({ text }) => text), plan].join('\n');
  const text = said.slice(0, LONGEST_TEXT);
  return {
    graph: readGraph(written),
    text,
    files: [...new Set([...files, ...filesNamed(text)])].slice(0, MOST_FILES),
  };
}

/** Words that look like paths. */
function filesNamed(text: string): string[] {
  return text
    .split(/[\s`'"()[\]{}<>,;|*]+/)
    .map((word) => word.replace(/^\.\//, '').replace(/[.:]$/, ''))
    .filter((word) => word.length <= 300 && /[^/]\/[^/]|\.[a-z]{1,5}$/i.test(word));
}
