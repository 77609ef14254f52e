import { verificationSchema } from '../../domain/entities/verification.ts';
import type { RequiredEvidence } from '../../domain/protection/guard-mode.ts';
import { OUTSIDE_THE_TREE } from '../../domain/protection/project-paths.ts';
import { snapshotTree } from '../../platform/git/git-tree.ts';
import { Repository } from '../../platform/git/repository.ts';
import { readFeatures } from '../../store/ledger/tables/feature-table.ts';
import type { HookContext } from './hook-context.ts';

/** By what verifications said of this very tree, the newest first. */
export async function readSeenEvidence({
  watch: { ledger, project, checkout },
}: HookContext): Promise<Record<RequiredEvidence, 'pass' | 'fail' | 'absent'>> {
  const tree = await snapshotTree(await Repository.open(checkout), OUTSIDE_THE_TREE);
  const found = [
    ...ledger.lookup(project, { kind: 'verification_recorded', field: 'tree', value: tree }),
  ].map(({ body }) => verificationSchema.parse(body));
  const tests = found.flatMap(({ gates }) => gates).find(({ gate }) => gate === 'tests');
  const open = readFeatures(ledger, project).filter(({ status }) => status === 'in_progress');
  const verified = found.find(({ feature_id }) => open.some(({ id }) => id === feature_id));
  return { tests: tests?.result ?? 'absent', verified: verified?.outcome ?? 'absent' };
}
