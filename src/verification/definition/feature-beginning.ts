import { verificationSchema } from '../../domain/entities/verification.ts';
import type { LedgerEntry } from '../../store/ledger/chain/ledger-entry.ts';
import { buildBeganSchema } from '../../store/ledger/kinds/sessions/build-began.ts';
import { featureBegunSchema } from '../../store/ledger/kinds/work/feature-begun.ts';
import type { Ledger } from '../../store/ledger/ledger.ts';

export interface RecordedBeginning {
  commit: string;
  /** The tree of the last passing verification; undefined where the commit is only where work began. */
  passedTree: string | undefined;
  /** The files with which work began, where they are known. */
  tree?: string | undefined;
}

/**
 * The commit that a feature is judged against, as recorded: the base of its last passing verification, else where its
 * work first began. A discarded feature begins anew.
 */
export function readBeginning(
  ledger: Ledger,
  project: string,
  featureId: string,
): RecordedBeginning | undefined {
  const newestFirst = (kind: string) =>
    ledger.lookup(project, { kind, field: 'feature_id', value: featureId });
  const discarded = newestFirst('feature_discarded').next().value?.number ?? 0;
  for (const { number, body } of newestFirst('verification_recorded')) {
    if (number < discarded) break;
    const { task_id, outcome, base_commit, tree } = verificationSchema.parse(body);
    if (task_id === null && outcome === 'pass') return { commit: base_commit, passedTree: tree };
  }
  const first = [...newestFirst('feature_begun'), ...newestFirst('build_began')]
    .filter(({ number }) => number > discarded)
    .reduce<LedgerEntry | undefined>((a, b) => (a && a.number < b.number ? a : b), undefined);
  if (!first) return undefined;
  if (first.kind === 'build_began')
    return { commit: buildBeganSchema.parse(first.body).base_commit, passedTree: undefined };
  const { commit, tree } = featureBegunSchema.parse(first.body);
  return { commit, passedTree: undefined, tree: tree ?? undefined };
}

/** Records where work on a feature began, unless that is known. */
export function recordBeginning(
  ledger: Ledger,
  project: string,
  featureId: string,
  began: { commit: string; tree?: string },
): void {
  if (readBeginning(ledger, project, featureId)) return;
  const { commit, tree = null } = began;
  ledger.append(project, 'feature_begun', { feature_id: featureId, commit, tree });
}
