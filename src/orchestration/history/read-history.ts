import { type Verification, verificationSchema } from '../../domain/entities/verification.ts';
import { didYouMean, nearestWord } from '../../domain/nearest-word.ts';
import { GuardKitError } from '../../guardkit-error.ts';
import type { Ledger } from '../../store/ledger/ledger.ts';
import { BuildRecord } from '../feature-build/build-record.ts';
import { turnRecord } from '../turns/turn-record.ts';
import type { TaskHistory } from './task-timeline.ts';

/** A task with recorded turns, and the feature it was built for. */
interface BuiltTask {
  featureId: string;
  taskId: string;
}

/** All tasks ever built in a project, in order of their start. Read from the ledger, so it works without task files. */
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
    message: `No recorded turns for ${id.slice(0, 80)}.${didYouMean(near)}`,
    hint:
      known.length === 0
        ? `Nothing was built in this project yet. Build it with \`guardkit feature-build ${id.slice(0, 80)}\`.`
        : `Built here: ${known.slice(-20).join(', ')}.`,
  });
}

/** The history of these tasks from the ledger, independent of memory and files. */
export function readHistory(ledger: Ledger, project: string, tasks: readonly BuiltTask[]): TaskHistory[] {
  const records = new Map<string, BuildRecord>();
  for (const { featureId } of tasks)
    if (!records.has(featureId)) records.set(featureId, new BuildRecord(ledger, project, featureId));
  const verifications = new Map(
    [...records.keys()].flatMap((feature) => readVerifications(ledger, project, feature)),
  );
  return tasks.flatMap(({ featureId, taskId }) => {
    const record = records.get(featureId);
    if (!record) return [];
    const turns = record.turns(taskId);
    const named = turns.flatMap((turn) => {
      const { verification } = turnRecord(turn);
      const found = verification === null ? undefined : verifications.get(verification);
      return found ? [[found.id, found] as const] : [];
    });
    return {
      featureId,
      taskId,
      turns,
      steps: record.steps(taskId),
      resetAfter: record.resetAfter(taskId),
      outcome: record.outcome(taskId)?.outcome,
      verifications: new Map(named),
    };
  });
}

/** By key: a project may have thousands. */
function readVerifications(ledger: Ledger, project: string, feature: string): [string, Verification][] {
  const own = ledger.lookup(project, { kind: 'verification_recorded', field: 'feature_id', value: feature });
  return [...own].map(({ body }) => {
    const verification = verificationSchema.parse(body);
    return [verification.id, verification];
  });
}
