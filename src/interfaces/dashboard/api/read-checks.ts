import { describeEvidence, evidenceSchema } from '../../../domain/entities/evidence.ts';
import { BuildRecord } from '../../../orchestration/feature-build/build-record.ts';
import { type OpenedProject, unknown } from './read-context.ts';
import type { ChecksAnswer } from './schemas.ts';

const MAX_CHECKS = 100;

/** The commands that GuardKit ran in a turn, with the end of their output, the first one first. */
export function readChecks(
  { ledger, project }: OpenedProject,
  { feature, task, turn }: { feature: string; task: string; turn: number },
): ChecksAnswer {
  const record = new BuildRecord(ledger, project, feature);
  const found = record.turns(task).find(({ turn_number }) => turn_number === turn);
  if (!found?.started_at) throw unknown('turn', String(turn));
  // The next turn begins later.
  const next = record.turns(task).find(({ turn_number }) => turn_number === turn + 1)?.started_at;
  const checks: ChecksAnswer['checks'] = [];
  const all = ledger.lookup(project, { kind: 'evidence_recorded', field: 'feature_id', value: feature });
  for (const { at, body } of all) {
    if (at < found.started_at || checks.length >= MAX_CHECKS) break;
    if (next && at >= next) continue;
    const evidence = evidenceSchema.parse(body);
    if (evidence.task_id !== null && evidence.task_id !== task) continue;
    const { check, tree_is, command, exit, timed_out, duration_ms, output_tail, output_bytes } = evidence;
    checks.push({
      check: tree_is === 'candidate' ? check : `${check} (${tree_is})`,
      ok: exit === 0 && !timed_out,
      found: describeEvidence(evidence),
      command,
      seconds: duration_ms / 1000,
      output: output_tail,
      output_bytes,
      at,
    });
  }
  return { checks: checks.reverse() };
}
