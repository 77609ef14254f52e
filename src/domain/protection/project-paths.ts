import { createHash } from 'node:crypto';

/** Folders with definitions, relative to the project. */
export const DEFINITION_FOLDERS: readonly string[] = ['.guardkit', 'tasks'];

const DEFINITION = /^(?:\.guardkit\/(?!(?:logs|data)(?:\/|$)).+|tasks\/(?:[^/]+\/)*TASK-[^/]+\.md)$/s;

/** A file that only GuardKit reads: rules, features and tasks. Other files below `tasks/` belong to the project. */
export function isDefinitionPath(path: string): boolean {
  return DEFINITION.test(path);
}

const NEW_WORK = /^(?:\.guardkit\/features\/[^/]+\.ya?ml|tasks\/(?:[^/]+\/)*TASK-[^/]+\.md)$/s;

/** A file that describes work to be done, which an agent may propose. */
export function isWorkPath(path: string): boolean {
  return NEW_WORK.test(path);
}

/** Identifies a version of a definition. Line endings do not count, since git may convert them. */
export function definitionDigest(content: Uint8Array): string {
  const text = Buffer.from(content).toString('latin1');
  const unix = text.includes('\r\n') ? Buffer.from(text.replaceAll('\r\n', '\n'), 'latin1') : content;
  return createHash('sha256').update(unix).digest('hex');
}

/** Folders that are not part of the tree: definitions, and projections that GuardKit writes. */
export const OUTSIDE_THE_TREE = ['.guardkit', '.claude/progress'];

/** Folder of task plans in a project. */
export const TASK_PLANS = '.claude/task-plans';

/** A plan is written before the work; it is not part of the task's result. */
export function isTaskPlan(path: string): boolean {
  return path.startsWith(`${TASK_PLANS}/`);
}
