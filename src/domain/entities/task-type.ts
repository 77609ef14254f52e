/** Types that are judged by another type's profile. */
const JUDGED_AS: Readonly<Record<string, string>> = { bugfix: 'feature', refactor: 'feature' };

export const BORROWING_TASK_TYPES: readonly string[] = Object.keys(JUDGED_AS);

/** The task type whose quality gates hold for a type. */
export function profileTaskType(taskType: string): string {
  return Object.hasOwn(JUDGED_AS, taskType) ? (JUDGED_AS[taskType] ?? taskType) : taskType;
}
