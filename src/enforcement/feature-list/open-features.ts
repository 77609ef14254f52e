import { existsSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { dataFolder, type Workspace } from '../../config/project/workspace.ts';
import type { Feature } from '../../domain/entities/feature.ts';
import { readFeatureList } from '../../domain/feature-list/feature-list.ts';
import { judgeListChange } from '../../domain/feature-list/judge-list-change.ts';
import { findGitFolder } from '../../platform/git/git-folder.ts';
import type { Ledger } from '../../store/ledger/ledger.ts';

export interface FeaturesContext {
  env: NodeJS.ProcessEnv;
  workspace(): Promise<Workspace>;
  ledger(): Promise<Ledger>;
}

export interface OpenedFeatures {
  /** By id. */
  features: ReadonlyMap<string, Feature>;
  notices: string[];
}

/** The current features. Does not create a ledger: without one, the list is read as it is. */
export async function openFeatures(context: FeaturesContext, root: string): Promise<OpenedFeatures> {
  const home = dataFolder(context.env);
  if (!existsSync(join(home, 'ledger.db'))) {
    // Reports an unreadable configuration.
    await context.workspace();
    return unrecorded(root);
  }
  const ledger = await context.ledger();
  const { findProject } = await import('../hooks/open-enforcement.ts');
  const git = findGitFolder(root);
  const project = git && (await findProject(ledger, git, realpathSync.native(root)));
  if (!project?.known) return unrecorded(root);
  const { listContext } = await import('./known-list.ts');
  const { isListUnchanged, reconcileFeatureList } = await import('./reconcile-feature-list.ts');
  const { readFeatures } = await import('../../store/ledger/tables/feature-table.ts');
  const list = listContext(ledger, project.id, root, home);
  if (isListUnchanged(list, 'content')) {
    const features = readFeatures(ledger, project.id);
    // Nothing to adopt, and no `tested` to clear.
    if (!features.some(({ tested }) => tested)) return { features: byId(features), notices: [] };
  }
  const { currentActor } = await import('./change-actor.ts');
  const { refreshTested } = await import('./refresh-tested.ts');
  const { listNoticesForPerson, formatRefreshed } = await import('./format-reconciliation.ts');
  const changedBy = currentActor(list, context.env);
  const notices = [
    ...listNoticesForPerson(reconcileFeatureList(list, changedBy)),
    ...formatRefreshed(await refreshTested(list, changedBy)),
  ];
  return { features: byId(readFeatures(ledger, project.id)), notices };
}

async function unrecorded(root: string): Promise<OpenedFeatures> {
  const { readListFile } = await import('./list-file.ts');
  const found = readListFile(root, 0);
  const reading = found.kind === 'file' ? readFeatureList(found.bytes.toString('utf8')) : undefined;
  const features = reading?.ok ? judgeListChange([], reading.list, { kind: 'person' }).merged : [];
  return { features: byId(features), notices: [] };
}

function byId(features: readonly Feature[]): ReadonlyMap<string, Feature> {
  return new Map(features.map((one) => [one.id, one]));
}
