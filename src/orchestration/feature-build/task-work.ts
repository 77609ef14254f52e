import type { CoachVerdict } from '../../domain/entities/agent-answers.ts';
import type { TurnState } from '../../domain/entities/turn-state.ts';
import type { GateResult, Verification } from '../../domain/entities/verification.ts';
import type { BuildEvent } from './build-event.ts';
import { type BuildRequest, type BuildResult, buildFeature } from './build-feature.ts';

export type TaskWorkRequest = Omit<BuildRequest, 'onlyTasks' | 'maxTurns' | 'resume' | 'recordIn'> & {
  taskId: string;
};

export interface TaskWork {
  feature: string;
  task: string;
  /** Undefined if the task was already approved and nothing ran. */
  gates: readonly GateResult[] | undefined;
  outcome: Verification['outcome'];
  /** The result in the form of a turn; not stored. */
  turn: TurnState | undefined;
  verdict: CoachVerdict | undefined;
  why: string;
  cancelled: boolean;
  commit: string | undefined;
  worktree: string;
  branch: string;
  costUsd: number;
}

/** Events that only make sense for a build with several turns. */
const NOT_SHOWN: ReadonlySet<BuildEvent['type']> = new Set(['turn_captured', 'task_ended', 'build_ended']);

/** Runs Player, gates and Coach once for a task. It counts as no attempt and records no turn, only evidence. */
export async function workOnTask({ taskId, emit, ...request }: TaskWorkRequest): Promise<TaskWork> {
  let gates: readonly GateResult[] | undefined;
  let outcome: Verification['outcome'] = 'absent';
  let committed: { turn: number; commit: string } | undefined;
  const built = await buildFeature({
    ...request,
    onlyTasks: [taskId],
    maxTurns: 1,
    resume: false,
    recordIn: 'memory',
    emit: (event) => {
      if (event.type === 'verified') ({ gates, outcome } = event);
      if (event.type === 'committed') committed = { turn: event.turn, commit: event.commit };
      if (!NOT_SHOWN.has(event.type)) emit(event);
    },
  });
  if (committed) await nameWork(request, built.feature, taskId, committed);
  const told = lastTurn(built);
  return {
    feature: built.feature,
    task: taskId,
    gates,
    outcome: committed || built.outcome !== 'approved' ? outcome : 'pass',
    turn: committed && told?.turn,
    verdict: committed && told?.verdict,
    why: built.why,
    cancelled: built.outcome === 'cancelled',
    commit: committed?.commit,
    worktree: built.worktree,
    branch: built.branch,
    costUsd: built.costUsd,
  };
}

function lastTurn({ tasks }: BuildResult) {
  return tasks.at(-1)?.turns.at(-1);
}

/** Renames the turn's ref: its number belongs to the next recorded turn. */
async function nameWork(
  { repository, clock }: Pick<TaskWorkRequest, 'repository' | 'clock'>,
  feature: string,
  task: string,
  { turn, commit }: { turn: number; commit: string },
): Promise<void> {
  const folder = `refs/guardkit/${feature}/${task}`;
  const input = `update ${folder}/work-${clock()} ${commit}\ndelete ${folder}/T${turn} ${commit}\n`;
  await repository.run(['update-ref', '--stdin'], { input });
}
