import { join } from 'node:path';
import type { Ledger } from '../../store/ledger/ledger.ts';
import { cachedReads, cacheRead } from '../../store/ledger/tables/read-cache.ts';
import { AGENT_WIRINGS, WIRED_AGENTS } from './agent-wirings.ts';
import { ownHooks, STOP_EVENTS } from './claude-settings.ts';
import { LOCAL_SETTINGS, readSettingsFile, SHARED_SETTINGS } from './settings-file.ts';

/** Whether GuardKit's hooks are in the settings of a checkout. */
export function isWired(checkout: string): boolean {
  return wiringOf(checkout) === true;
}

export function wiringOf(checkout: string): boolean | 'unknown' {
  const found = WIRED_AGENTS.map((name) => AGENT_WIRINGS[name].wiringOf(checkout));
  if (found.includes(true)) return true;
  return found.includes('unknown') ? 'unknown' : false;
}

/** The timeout of stop hooks in a checkout's settings, in seconds; undefined without such a hook. */
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

const WIRED = 'wired: ';
/** Cached for every checkout in which a hook ever ran. */
const ASKED = 'project of ';

export function noteWired(ledger: Ledger, checkout: string, wired: boolean): void {
  cacheRead(ledger, WIRED + checkout, '', wired);
}

/** This machine's checkouts with GuardKit's hooks, by their settings files. An unreadable file counts as having them. */
export function wiredCheckouts(ledger: Ledger): string[] {
  const named = [WIRED, ASKED].flatMap((prefix) =>
    cachedReads(ledger, prefix).map(({ path }) => path.slice(prefix.length)),
  );
  return [...new Set(named)].filter((checkout) => wiringOf(checkout) !== false).sort();
}
