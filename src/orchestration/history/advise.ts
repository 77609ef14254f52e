import type { Causes } from './find-causes.ts';
import type { TaskHistory, TimelineTurn } from './task-timeline.ts';

/** What a person can do now, the most telling first. */
export function advise(
  { featureId, taskId, outcome }: Pick<TaskHistory, 'featureId' | 'taskId' | 'outcome'>,
  causes: Causes,
  last: TimelineTurn | undefined,
): string[] {
  const resume = `guardkit feature-build ${featureId} --resume`;
  if (outcome === 'approved')
    return [
      `Look at the branch guardkit/${featureId}, then merge it: \`guardkit feature complete ${featureId}\`.`,
    ];
  const steps = [
    ...causes.blocked.map(
      (id) =>
        `${id} cannot be met as it is written: change or remove it in the task's file, commit that, and let the task ` +
        `start afresh, since a build keeps the criteria it began with.`,
    ),
    ...causes.repeated.map(
      ({ turns }) =>
        `Turns ${list(turns)} got the same feedback, so the Player does not know how to follow it: say how in the plan ` +
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
          `Get ${gate} to pass${turns.length > 1 ? `, which it did not in turns ${list(turns)}` : ''}: ${reason}` +
          `${/[.!?]$/.test(reason) ? '' : '.'} \`guardkit evidence ${taskId}\` has the runs.`,
      ),
    ...causes.blockers
      .filter(({ turns }) => last && turns.at(-1) === last.turn.turn_number)
      .map(({ text }) => `Take away what blocks the Player: ${text}`),
    ...(causes.overridden.length > 1
      ? ['Say in the criteria which test or check shows each: the Coach approved without one more than once.']
      : []),
    ...(causes.dishonest.length > 1
      ? [
          'The Player claims more than it does, again and again: another model may serve better (--driver, or the model in .guardkit/config.yaml).',
        ]
      : []),
    ...(causes.silent.length > 0
      ? ['Look in .guardkit/logs/autobuild.log for why the Player gave no report; --timeout gives it longer.']
      : []),
    ...(causes.unjudged.length > 0
      ? [
          'Look in .guardkit/logs/autobuild.log for why the Coach gave no verdict; --coach-driver names another.',
        ]
      : []),
  ];
  const focus = last?.turn.what_to_try_next;
  const before = steps.length === 0 && focus ? [focus] : [];
  const told = [...steps, ...before];
  const goOn = `${told.length > 0 ? 'Then go' : 'Go'} on: \`${resume}\``;
  return [...told, `${goOn}; or start afresh: \`guardkit task reset ${taskId} --reason "…"\`.`];
}

/** `1, 2 and 4`. */
export function list(numbers: readonly number[]): string {
  if (numbers.length < 2) return numbers.join('');
  return `${numbers.slice(0, -1).join(', ')} and ${numbers.at(-1)}`;
}
