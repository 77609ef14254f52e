import type { FoundWork } from '../../config/work/find-work.ts';
import type { Feature } from '../../domain/entities/feature.ts';
import { FEATURE_LIST_PATH } from '../../domain/protection/protected-paths.ts';
import type { FeaturesRecorded } from '../../store/ledger/kinds/work/features-recorded.ts';
import { changeFeatures, featuresNumber } from '../../store/ledger/tables/feature-table.ts';
import { definedFeature } from './defined-feature.ts';
import { type FeatureListContext, findKnownList } from './known-list.ts';
import { projectList } from './project-list.ts';

/**
 * Changes a feature in ledger and list, in a transaction of the caller's that has seen to the list before; one that only
 * files have is taken in.
 */
export function changeDefinedFeature(
  context: FeatureListContext,
  { feature, tasks }: Pick<FoundWork, 'feature' | 'tasks'>,
  by: FeaturesRecorded['by'],
  change: (before: Feature) => Feature,
): void {
  const { ledger, project } = context;
  changeFeatures(ledger, project, (current) => {
    const known = current.find(({ id }) => id === feature.id);
    const isListed = feature.path === FEATURE_LIST_PATH;
    const before = known && isListed ? known : definedFeature(ledger, project, feature, tasks, known);
    return { by, actor: 'guardkit', features: [change(before)] };
  });
  const list = findKnownList(context);
  if (list && list.number !== featuresNumber(ledger, project)) projectList(context, list);
}
