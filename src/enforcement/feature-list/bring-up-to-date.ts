import { type Adopted, adoptFeatureList } from './adopt-feature-list.ts';
import type { ChangeActor } from './change-actor.ts';
import { formatRefreshed } from './format-reconciliation.ts';
import type { FeatureListContext } from './known-list.ts';
import { projectFeatures } from './project-features.ts';
import { refreshTested } from './refresh-tested.ts';

export interface UpToDate {
  adopted: Adopted;
  /** For the person, a line each, beside what the adopted list says. */
  told: string[];
}

/** Before a session begins: the list is taken in, what files define is in it, and what has changed is no longer tested. */
export async function bringFeaturesUpToDate(list: FeatureListContext, doer: ChangeActor): Promise<UpToDate> {
  const adopted = await adoptFeatureList(list, doer);
  await projectFeatures(list, doer, { create: false });
  const refreshed = await refreshTested(list, doer);
  return { adopted, told: formatRefreshed(refreshed) };
}
