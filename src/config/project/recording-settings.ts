import type { LearningConfig } from './learning-config.ts';

/** What is kept of what agents do. */
export interface RecordingSettings {
  /** Undefined where nothing is. */
  actions?: { days: number; megabytes: number } | undefined;
  corrections: boolean;
}

/** With what holds where nothing is said. Apart from the schema, which hooks have no time for. */
export function recordingSettings(config: LearningConfig | undefined): RecordingSettings {
  const actions = config?.actions ?? {};
  return {
    actions: actions === 'off' ? undefined : { days: actions.days ?? 90, megabytes: actions.megabytes ?? 64 },
    corrections: config?.corrections !== 'off',
  };
}
