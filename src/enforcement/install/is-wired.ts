import { join } from 'node:path';
import { hookedEvents } from './claude-settings.ts';
import { LOCAL_SETTINGS, readSettingsFile, SHARED_SETTINGS } from './settings-file.ts';

/** Whether GuardKit's hooks are in the settings of a checkout. */
export function isWired(checkout: string): boolean {
  return wiringOf(checkout) === true;
}

export function wiringOf(checkout: string): boolean | 'unknown' {
  const readings = [LOCAL_SETTINGS, SHARED_SETTINGS].map((name) => readSettingsFile(join(checkout, name)));
  if (readings.some((reading) => reading.ok && hookedEvents(reading.file.settings).length > 0)) return true;
  return readings.every(({ ok }) => ok) ? false : 'unknown';
}
