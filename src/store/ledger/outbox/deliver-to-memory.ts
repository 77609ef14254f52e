import type { EpisodeStore } from '../../episode-store.ts';
import { type OpenStoreOptions, openStore } from '../../open-store.ts';
import type { Ledger } from '../ledger.ts';

/** The longest wait for memory. */
const TIMEOUT_MS = 5000;

/**
 * Delivers recorded entries to memory. Returns a notice if the store is unavailable; the ledger keeps the entries for
 * later runs.
 */
export async function deliverToMemory(
  ledger: Ledger,
  settings: OpenStoreOptions,
): Promise<string | undefined> {
  const { deliverOutbox } = await import('./deliver-outbox.ts');
  let store: EpisodeStore | undefined;
  try {
    store = await openStore(settings);
    const report = await deliverOutbox(ledger, store, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    return report.failure ? away(report.failure, report.pending) : undefined;
  } catch (error) {
    // Safe: the notice reports it, and the entries stay in the ledger.
    return away(error, ledger.outbox.status().pending);
  } finally {
    await store?.close();
  }
}

function away(error: unknown, pending: number): string {
  const why = (error instanceof Error ? error.message : String(error)).split('\n')[0];
  return `memory is off: ${why} ${pending} entries wait in the ledger.`;
}
