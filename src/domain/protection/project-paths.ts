import { createHash } from 'node:crypto';

/** Folders that hold definitions, relative to the project. */
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

/** Folders that are no part of what is built: definitions, and projections that GuardKit writes itself. */
export const OUTSIDE_THE_TREE = ['.guardkit', '.claude/progress'];

/** Where the plans of tasks lie in a project. */
export const TASK_PLANS = '.claude/task-plans';

/** Made before the work and for it: a plan is no part of what a task asks for. */
export function isTaskPlan(path: string): boolean {
  return path.startsWith(`${TASK_PLANS}/`);
}
