import type { TaskDefinition } from '../config/work/work.ts';
import { assignCriterionIds, type CriterionId } from '../domain/criteria/assign-criterion-ids.ts';
import type { Criterion } from '../domain/criteria/criterion.ts';
import type { TestResult } from '../domain/entities/test-report.ts';
import { canonicalJson } from '../domain/json/json.ts';
import { GuardKitError } from '../guardkit-error.ts';
import type { Ledger } from '../store/ledger/ledger.ts';

/** A criterion of a task, and the passing tests whose names mention it. */
export interface VerifiedCriterion {
  task: string;
  id: string;
  text: string;
  tests: string[];
}

export interface IdentifiedCriterion extends Criterion {
  /** Its previous text, if it changed. */
  previousText?: string;
}

/** Finds or assigns each criterion's id and records new ones in the ledger. */
export function identifyCriteria(
  ledger: Ledger,
  project: string,
  task: Pick<TaskDefinition, 'id' | 'path' | 'criteria'>,
): IdentifiedCriterion[] {
  const known = knownCriterionIds(ledger, project, task.id);
  const assigned = assignCriterionIds(task.criteria, known);
  if (!assigned.ok) {
    throw new GuardKitError({
      code: 'criteria.ambiguous',
      kind: 'input',
      message: `${task.path}:${assigned.line}: ${assigned.why}`,
      hint: assigned.hint,
    });
  }
  if (canonicalJson(assigned.ids) !== canonicalJson(known))
    ledger.append(project, 'criteria_recorded', { task_id: task.id, criteria: assigned.ids });
  return assigned.criteria.map(({ id, text, detail, previousText }) => ({
    id,
    text,
    detail,
    ...(previousText === undefined ? {} : { previousText }),
  }));
}

export function testsNaming(id: string, results: readonly TestResult[]): string[] {
  const word = id.toLowerCase();
  return results
    .filter(({ name, status }) => status === 'passed' && mentions(name.toLowerCase(), word))
    .map(({ name }) => name);
}

/** `AC-1` is not in `AC-10`. */
function mentions(name: string, word: string): boolean {
  for (let at = name.indexOf(word); at >= 0; at = name.indexOf(word, at + 1)) {
    const after = name[at + word.length] ?? '';
    const before = name[at - 1] ?? '';
    if (!/[a-z0-9]/.test(after) && !/[a-z0-9]/.test(before)) return true;
  }
  return false;
}

/** Every id that a task's criteria have had. */
export function knownCriterionIds(ledger: Ledger, project: string, task: string): CriterionId[] {
  const recorded = ledger.lookup(project, { kind: 'criteria_recorded', field: 'task_id', value: task });
  // The ledger parsed it by its kind's schema.
  for (const { body } of recorded) return body.criteria as unknown as CriterionId[];
  return [];
}
