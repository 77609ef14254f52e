import type { SettingsFileReading } from '../install/settings-file.ts';

/** A file that has a say in whether hooks run. */
export interface SettingsSource {
  path: string;
  scope: 'managed' | 'home' | 'team' | 'own' | 'plugin';
  reading: SettingsFileReading;
}
