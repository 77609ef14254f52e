import { join } from 'node:path';
import { ownHooks, STOP_EVENTS } from './claude-settings.ts';
import { LOCAL_SETTINGS, readSettingsFile, SHARED_SETTINGS } from './settings-file.ts';

/** How many seconds the settings of a checkout give a hook when an agent stops; undefined where it is not wired in them. */
export function stopTimeout(checkout: string): number | undefined {
  const found = [LOCAL_SETTINGS, SHARED_SETTINGS].flatMap((name) => {
    const reading = readSettingsFile(join(checkout, name));
    return reading.ok ? ownHooks(reading.file.settings) : [];
  });
  const seconds = found
    .filter(({ event }) => STOP_EVENTS.includes(event))
    .map(({ handler }) => handler.timeout ?? 0);
  return seconds.length === 0 ? undefined : Math.min(...seconds);
}
