import { posix } from 'node:path';
import type { WrittenCriterion } from '../../domain/criteria/criterion.ts';
import type { Task } from '../../domain/entities/task.ts';
import type { VerifyConfig } from '../project/verify-config.ts';
import type { WorkFault } from './work-fault.ts';

/** A task as its file defines it. */
export interface TaskDefinition extends Task {
  /** Relative to the project, with `/`. For a feature without tasks, the feature's file. */
  path: string;
  verify?: VerifyConfig;
}

/** A feature from its file, or implied by tasks. */
export interface FeatureDefinition {
  id: string;
  name: string;
  description: string;
  /** 1 is the most urgent. */
  priority: number;
  task_type: string;
  complexity: number;
  ui: boolean;
  verify?: VerifyConfig;
  /** Other features. */
  dependencies: string[];
  /** Tasks listed in the file, in its order, then tasks that name the feature; without unreadable tasks and those of other features. */
  tasks: string[];
  /** For a feature without tasks. */
  criteria: WrittenCriterion[];
  /** Undefined for a feature implied by its tasks. */
  path: string | undefined;
  /** All of its files, unreadable ones included. */
  files: string[];
}

/** All tasks and features defined in a project's files. */
export interface Work {
  tasks: TaskDefinition[];
  features: FeatureDefinition[];
  faults: WorkFault[];
}

export interface WorkFile {
  /** Relative to the project, with `/`. */
  path: string;
  text: string;
}

export const TASKS_FOLDER = 'tasks';
export const FEATURES_FOLDER = '.guardkit/features';

/** Paths are relative to the project, with `/`. */
export function isTaskFile(path: string): boolean {
  return path.startsWith(`${TASKS_FOLDER}/`) && /^TASK-.*\.md$/s.test(posix.basename(path));
}

export function isFeatureFile(path: string): boolean {
  return posix.dirname(path) === FEATURES_FOLDER && /^[^.].*\.ya?ml$/s.test(posix.basename(path));
}

/** Whether a file is named for this id: `TASK-001.md` or `TASK-001-title.md`. */
export function isNamedFor(path: string, id: string): boolean {
  const at = path.lastIndexOf('/') + 1;
  // The cheap check first: thousands of names are compared with thousands of ids.
  return path.startsWith(id, at) && /^(?:[-_.].*)?\.(?:md|ya?ml)$/s.test(path.slice(at + id.length));
}
