import type { Causes } from './find-causes.ts';
import type { TaskHistory, TimelineTurn } from './task-timeline.ts';

/** What a person can do now, the most useful first. */
export function advise(
  { featureId, taskId, outcome }: Pick<TaskHistory, 'featureId' | 'taskId' | 'outcome'>,
  causes: Causes,
  last: TimelineTurn | undefined,
): string[] {
  const resume = `guardkit feature-build ${featureId} --resume`;
  if (outcome === 'approved')
    return [
      `Review the branch guardkit/${featureId}, then merge it: \`guardkit feature complete ${featureId}\`.`,
    ];
  const steps = [
    ...causes.blocked.map(
      (id) =>
        `${id} cannot be met as written: change or remove it in the task file, commit it, and restart the task, because ` +
        `a build keeps the criteria it started with.`,
    ),
    ...causes.repeated.map(
      ({ turns }) =>
        `Turns ${list(turns)} got the same feedback, which the Player cannot follow: explain it in the plan ` +
        `(.claude/task-plans/${taskId}-implementation-plan.md in the worktree), make it a criterion, or make the task smaller.`,
    ),
    ...causes.movedBack.map(
      ({ criterion, verifiedIn, lostIn }) =>
        `See what broke ${criterion}: \`guardkit turns diff ${taskId} ${Math.max(verifiedIn, lostIn - 1)} ${lostIn}\`.`,
    ),
    ...causes.gates
      .filter(({ turns }) => last && turns.at(-1) === last.turn.turn_number)
      .map(
        ({ gate, turns, reason }) =>
          `Make ${gate} pass${turns.length > 1 ? ` (not passed in turns ${list(turns)})` : ''}: ${reason}` +
          `${/[.!?]$/.test(reason) ? '' : '.'} \`guardkit evidence ${taskId}\` shows the runs.`,
      ),
    ...causes.blockers
      .filter(({ turns }) => last && turns.at(-1) === last.turn.turn_number)
      .map(({ text }) => `Remove the Player's blocker: ${text}`),
    ...(causes.overridden.length > 1
      ? [
          'In each criterion, name the test or check that proves it: the Coach approved without one more than once.',
        ]
      : []),
    ...(causes.dishonest.length > 1
      ? [
          "The Player's reports are repeatedly false: try another model (--driver, or the model in .guardkit/config.yaml).",
        ]
      : []),
    ...(causes.silent.length > 0
      ? [
          'Check .guardkit/logs/autobuild.log for why the Player gave no report; --timeout gives it more time.',
        ]
      : []),
    ...(causes.unjudged.length > 0
      ? [
          'Check .guardkit/logs/autobuild.log for why the Coach gave no verdict; --coach-driver chooses another.',
        ]
      : []),
  ];
  const focus = last?.turn.what_to_try_next;
  const before = steps.length === 0 && focus ? [focus] : [];
  const advice = [...steps, ...before];
  const goOn = `${advice.length > 0 ? 'Then continue' : 'Continue'}: \`${resume}\``;
  return [...advice, `${goOn}; or restart the task: \`guardkit task reset ${taskId} --reason "…"\`.`];
}

/** `1, 2 and 4`. */
export function list(numbers: readonly number[]): string {
  if (numbers.length < 2) return numbers.join('');
  return `${numbers.slice(0, -1).join(', ')} and ${numbers.at(-1)}`;
}
