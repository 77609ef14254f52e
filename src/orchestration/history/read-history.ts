import { type Verification, verificationSchema } from '../../domain/entities/verification.ts';
import type { Ledger } from '../../store/ledger/ledger.ts';
import { BuildRecord } from '../feature-build/build-record.ts';
import { turnRecord } from '../turns/turn-record.ts';
import type { BuiltTask } from './find-built.ts';
import type { TaskHistory } from './task-timeline.ts';

/** What the ledger has of these tasks: exact, whatever became of memory and of the files. */
export function readHistory(ledger: Ledger, project: string, tasks: readonly BuiltTask[]): TaskHistory[] {
  const records = new Map<string, BuildRecord>();
  for (const { featureId } of tasks)
    if (!records.has(featureId)) records.set(featureId, new BuildRecord(ledger, project, featureId));
  const verifications = readVerifications(ledger, project);
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

function readVerifications(ledger: Ledger, project: string): Map<string, Verification> {
  const all = ledger.entries(project, { kind: 'verification_recorded' });
  return new Map(
    all.map(({ body }) => {
      const verification = verificationSchema.parse(body);
      return [verification.id, verification];
    }),
  );
}
