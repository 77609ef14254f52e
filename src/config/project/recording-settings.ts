import type { LearningConfig } from './learning-config.ts';

export interface RecordingSettings {
  /** Undefined if nothing is kept. */
  actions?: { days: number; megabytes: number } | undefined;
  corrections: boolean;
}

/** Applies the defaults. Separate from the schema, because hooks must not load zod. */
export function recordingSettings(config: LearningConfig | undefined): RecordingSettings {
  const actions = config?.actions ?? {};
  return {
    actions: actions === 'off' ? undefined : { days: actions.days ?? 90, megabytes: actions.megabytes ?? 64 },
    corrections: config?.corrections !== 'off',
  };
}
