import type { ProjectConfig } from '../../config/project/project-config.ts';

/** How many turns memory keeps. */
export interface RetentionLimits {
  perFeature: number;
  perProject: number;
}

const DEFAULT_LIMITS: RetentionLimits = { perFeature: 50, perProject: 200 };

/** What `retention:` says, and the defaults for the rest. */
export function retentionLimits({ retention }: Pick<ProjectConfig, 'retention'>): RetentionLimits {
  return {
    perFeature: retention?.turns_per_feature ?? DEFAULT_LIMITS.perFeature,
    perProject: retention?.turns_per_project ?? DEFAULT_LIMITS.perProject,
  };
}
