import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Feature } from '../../../domain/feature.ts';
import { readFeatureList } from '../../../domain/feature-list.ts';
import { judgeListChange } from '../../../domain/judge-list-change.ts';
import type { CliContext } from '../cli-command.ts';

export interface OpenedFeatures {
  /** What is known of features, by their ids. */
  features: ReadonlyMap<string, Feature>;
  notices: string[];
}

/** What became of the features so far. Looking must not make a ledger: without one, the list is read as it is. */
export async function openFeatures(context: CliContext, root: string): Promise<OpenedFeatures> {
  const { home, project } = await context.workspace();
  if (!project.known || !existsSync(join(home, 'ledger.db'))) return unrecorded(root);
  const ledger = await context.ledger();
  const { currentDoer } = await import('../../../enforcement/features/current-doer.ts');
  const { listPlace } = await import('../../../enforcement/features/known-list.ts');
  const { reconcileFeatureList } = await import('../../../enforcement/features/reconcile-feature-list.ts');
  const { refreshTested } = await import('../../../enforcement/features/refresh-tested.ts');
  const { tellPerson, tellRefreshed } = await import('../../../enforcement/features/tell-reconciled.ts');
  const { readFeatures } = await import('../../../store/ledger/feature-table.ts');
  const place = listPlace(ledger, project.id, root, home);
  const doer = currentDoer(place, context.env);
  const notices = [
    ...tellPerson(reconcileFeatureList(place, doer)),
    ...tellRefreshed(await refreshTested(place, doer)),
  ];
  return { features: byId(readFeatures(ledger, project.id)), notices };
}

async function unrecorded(root: string): Promise<OpenedFeatures> {
  const { readListFile } = await import('../../../enforcement/features/list-file.ts');
  const found = readListFile(root, 0);
  const reading = found.kind === 'file' ? readFeatureList(found.bytes.toString('utf8')) : undefined;
  const features = reading?.ok ? judgeListChange([], reading.list, { kind: 'person' }).merged : [];
  return { features: byId(features), notices: [] };
}

function byId(features: readonly Feature[]): ReadonlyMap<string, Feature> {
  return new Map(features.map((one) => [one.id, one]));
}

/** What of a feature GuardKit and agents tell, beside how it is defined. */
export function stateJson(feature: Feature | undefined) {
  return {
    status: feature?.status ?? 'pending',
    tested: feature?.tested ?? false,
    retries: feature?.retries ?? 0,
    blocked_reason: feature?.blocked_reason ?? null,
    evidence: feature?.evidence ?? [],
    files: feature?.files ?? [],
    notes: feature?.notes ?? '',
  };
}

/** `completed, tested`. */
export function stateText(feature: Feature | undefined): string {
  const { status, tested } = stateJson(feature);
  return `${status.replace('_', ' ')}, ${tested ? 'tested' : 'not tested'}`;
}
