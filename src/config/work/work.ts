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

/** A feature as its file defines it, or as it follows from tasks. */
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
  /** Those that the file lists, in its order, then those that name the feature; none that is another's or cannot be read. */
  tasks: string[];
  /** Of a feature without tasks. */
  criteria: WrittenCriterion[];
  /** Undefined for a feature that has no file and follows from its tasks. */
  path: string | undefined;
  /** Every file that has to do with it, those that cannot be read included. */
  files: string[];
}

/** Everything that the files of a project say is to be done. */
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

/** Whether a file's name says that it holds this id: `TASK-001.md` or `TASK-001-title.md`. */
export function isNamedFor(path: string, id: string): boolean {
  const at = path.lastIndexOf('/') + 1;
  // First of all, since thousands of names are asked about thousands of ids.
  return path.startsWith(id, at) && /^(?:[-_.].*)?\.(?:md|ya?ml)$/s.test(path.slice(at + id.length));
}
