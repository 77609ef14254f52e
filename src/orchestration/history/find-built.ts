import { didYouMean, nearestWord } from '../../domain/nearest-word.ts';
import { GuardKitError } from '../../guardkit-error.ts';
import type { Ledger } from '../../store/ledger/ledger.ts';

/** A task of which turns are recorded, in the feature that it was built for. */
export interface BuiltTask {
  featureId: string;
  taskId: string;
}

/** Everything that was ever built in a project, in the order it began. Read from the ledger, so that no file has to be there. */
export function builtTasks(ledger: Ledger, project: string): BuiltTask[] {
  const found = new Map<string, BuiltTask>();
  for (const { body } of ledger.entries(project, { kind: 'turn_recorded' })) {
    const task = { featureId: String(body.feature_id), taskId: String(body.task_id) };
    found.set(JSON.stringify([task.featureId, task.taskId]), task);
  }
  return [...found.values()];
}

/** The built tasks of a feature, or the one task of that id. */
export function findBuilt(ledger: Ledger, project: string, id: string): BuiltTask[] {
  const all = builtTasks(ledger, project);
  const found = all.filter(({ featureId, taskId }) => featureId === id || taskId === id);
  if (found.length > 0) return found;
  const known = [...new Set(all.flatMap(({ featureId, taskId }) => [featureId, taskId]))];
  const near = nearestWord(id, known);
  throw new GuardKitError({
    code: 'turns.none',
    kind: 'refused',
    message: `No turn of ${id.slice(0, 80)} is recorded here.${didYouMean(near)}`,
    hint:
      known.length === 0
        ? `Nothing was built in this project yet: \`guardkit feature-build ${id.slice(0, 80)}\` does it.`
        : `Built here: ${known.slice(-20).join(', ')}.`,
  });
}
