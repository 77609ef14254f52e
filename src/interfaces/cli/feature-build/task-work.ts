import { DRIVERS } from '../../../config/project/project-config.ts';
import { GuardKitError } from '../../../guardkit-error.ts';
import { type TaskWork, workOnTask } from '../../../orchestration/feature-build/task-work.ts';
import { turnRecord } from '../../../orchestration/turns/turn-record.ts';
import { modeAdvice, suggestImplementationMode } from '../../../rules/suggest-implementation-mode.ts';
import type { Definition } from '../../../verification/definition/load-definition.ts';
import { OUTCOME_ICONS } from '../output/printable.ts';
import { type CliContext, defineCommand, type Report } from '../program/cli-command.ts';
import { endOnSignal } from '../verification/end-on-signal.ts';
import { learnAfter } from './after-build.ts';
import { BUILD_OPTIONS, type BuildInput, buildInputSchema } from './build-input.ts';
import { openBuild } from './open-build.ts';
import { showBuild } from './show-build.ts';

export const taskWork = defineCommand({
  name: 'task-work',
  summary: 'Build a task in one turn: Player, verification, Coach',
  arguments: [['<id>', 'Task (TASK-…)']],
  options: [
    ['--driver <name>', `Player driver: ${DRIVERS.join(', ')}`],
    ['--coach-driver <name>', 'Coach driver (default: the Player’s)'],
    ['--scenario <file>', 'Scenario file for the script driver (first turn only)'],
    ...BUILD_OPTIONS,
  ],
  schema: buildInputSchema,
  run: runTaskWork,
});

async function runTaskWork(context: CliContext, input: BuildInput): Promise<Report> {
  const { isTask, ...opened } = await openBuild(context, input);
  const { definition, repository, sources } = opened;
  const taskId = oneTask(definition, input.id, isTask);
  const task = definition.tasks.find(({ id }) => id === taskId);
  const mode = task && suggestImplementationMode(sources, task.task_type, task.complexity);
  if (mode) context.progress(modeAdvice(mode));
  const shown = showBuild(context, repository.root, input);
  const ending = endOnSignal();
  let work: TaskWork;
  try {
    work = await workOnTask({
      ...opened,
      taskId,
      signal: ending.signal,
      emit: shown.emit,
    });
  } finally {
    shown.end();
    ending.forget();
  }
  return describeWork(work, mode?.mode, await learnAfter(opened, opened.definition.config.learning));
}

function oneTask({ feature, tasks }: Definition, id: string, isTask: boolean): string {
  const [only] = tasks;
  if (isTask) return id;
  if (only && tasks.length === 1) return only.id;
  throw new GuardKitError({
    code: 'usage',
    kind: 'input',
    message: `${feature.id} is a feature with ${tasks.length} tasks; task-work needs one task.`,
    hint: `Its tasks: ${tasks.map((task) => task.id).join(', ')}. \`guardkit feature-build ${feature.id}\` builds them all.`,
  });
}

function describeWork(work: TaskWork, mode: string | undefined, notices: readonly string[]): Report {
  const { task, gates, outcome, turn, verdict, why, commit, worktree, branch, costUsd, cancelled } = work;
  const score = turn?.arch_score ?? null;
  return {
    json: {
      feature: work.feature,
      task,
      suggested_mode: mode ?? null,
      outcome: cancelled ? 'cancelled' : outcome,
      gates: gates ?? [],
      arch_score: score,
      coach_verdict: verdict ?? null,
      honesty: turn ? turnRecord(turn).honesty : [],
      commit: commit ?? null,
      worktree,
      branch,
      cost_usd: costUsd,
    },
    text: [
      `${OUTCOME_ICONS[outcome]} ${task}: ${headline(work)}`,
      ...(gates ?? []).map(
        (gate) =>
          `  ${OUTCOME_ICONS[gate.result]} ${gate.gate.padEnd(15)} ${gate.reason}${gate.required ? '' : ' (not required)'}`,
      ),
      ...(turn ? [`  – ${'arch-score'.padEnd(15)} ${scoreLine(turn)}`] : []),
      ...(turn?.coach_feedback ? [`Coach: ${turn.coach_feedback}`] : []),
      ...(turn && !gates ? [why] : []),
      `Branch ${branch} in ${worktree}`,
    ].join('\n'),
    notices,
    exitCode: outcome === 'pass' && !cancelled ? 0 : 1,
  };
}

function headline({ gates, outcome, turn, cancelled, why }: TaskWork): string {
  if (cancelled) return 'cancelled.';
  if (!turn) return why;
  if (!gates) return `nothing to verify: ${turn.player_summary}`;
  return outcome === 'pass' ? 'every required gate passes.' : 'a required gate did not pass.';
}

function scoreLine(turn: NonNullable<TaskWork['turn']>): string {
  const { arch_threshold } = turnRecord(turn);
  const wanted = arch_threshold === null ? 'none is required' : `${arch_threshold} is required`;
  return turn.arch_score === null ? `no score; ${wanted}` : `${turn.arch_score}; ${wanted}`;
}
