import { join } from 'node:path';
import type { Ledger } from '../../store/ledger/ledger.ts';
import { keepReading, readingsOf } from '../../store/ledger/readings.ts';
import { hookedEvents } from './claude-settings.ts';
import { LOCAL_SETTINGS, readSettingsFile, SHARED_SETTINGS } from './settings-file.ts';

const WIRED = 'wired: ';
/** Kept for every checkout in which a hook was ever asked. */
const ASKED = 'project of ';

export function noteWired(ledger: Ledger, checkout: string, wired: boolean): void {
  keepReading(ledger, WIRED + checkout, '', wired);
}

/** The checkouts of this machine whose hooks lead to its launcher, by their own files. One that cannot be read may have some. */
export function wiredCheckouts(ledger: Ledger): string[] {
  const named = [WIRED, ASKED].flatMap((prefix) =>
    readingsOf(ledger, prefix).map(({ path }) => path.slice(prefix.length)),
  );
  return [...new Set(named)].filter((checkout) => wiringOf(checkout) !== false).sort();
}

export function isWired(checkout: string): boolean {
  return wiringOf(checkout) === true;
}

function wiringOf(checkout: string): boolean | 'unknown' {
  const readings = [LOCAL_SETTINGS, SHARED_SETTINGS].map((name) => readSettingsFile(join(checkout, name)));
  if (readings.some((reading) => reading.ok && hookedEvents(reading.file.settings).length > 0)) return true;
  return readings.every(({ ok }) => ok) ? false : 'unknown';
}
