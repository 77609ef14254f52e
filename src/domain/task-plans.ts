/** Where the plans of tasks lie in a project. */
export const TASK_PLANS = '.claude/task-plans';

/** Made before the work and for it: a plan is no part of what a task asks for. */
export function isTaskPlan(path: string): boolean {
  return path.startsWith(`${TASK_PLANS}/`);
}
