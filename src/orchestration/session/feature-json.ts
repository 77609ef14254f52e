import type { FeatureDefinition } from '../../config/work/work.ts';
import type { Feature } from '../../domain/entities/feature.ts';
import { shownStatus } from './next-runnable.ts';

/** The definition of a feature, without its state. */
export function featureJson(feature: FeatureDefinition) {
  return {
    id: feature.id,
    name: feature.name,
    description: feature.description,
    priority: feature.priority,
    task_type: feature.task_type,
    complexity: feature.complexity,
    ui: feature.ui,
    tasks: feature.tasks,
    dependencies: feature.dependencies,
    path: feature.path ?? null,
  };
}

/** The state of a feature, without its definition. */
export function stateJson(feature: Feature | undefined) {
  return {
    status: feature ? shownStatus(feature) : 'pending',
    tested: feature?.tested ?? false,
    retries: feature?.retries ?? 0,
    blocked_reason: feature?.blocked_reason ?? null,
    evidence: feature?.evidence ?? [],
    files: feature?.files ?? [],
    notes: feature?.notes ?? '',
  };
}
