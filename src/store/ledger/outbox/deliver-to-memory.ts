import type { EpisodeStore } from '../../episode-store.ts';
import { type OpenStoreOptions, openStore } from '../../open-store.ts';
import type { Ledger } from '../ledger.ts';

/** Nobody waits longer than this for memory. */
const PATIENCE_MS = 5000;

/** Brings what was recorded to memory. A store that is away is said; the ledger has it all, and later runs deliver. */
export async function deliverToMemory(
  ledger: Ledger,
  settings: OpenStoreOptions,
): Promise<string | undefined> {
  const { deliverOutbox } = await import('./deliver-outbox.ts');
  let store: EpisodeStore | undefined;
  try {
    store = await openStore(settings);
    const report = await deliverOutbox(ledger, store, { signal: AbortSignal.timeout(PATIENCE_MS) });
    return report.failure ? away(report.failure, report.pending) : undefined;
  } catch (error) {
    // Safe: memory may be away, and says so.
    return away(error, ledger.outbox.status().pending);
  } finally {
    await store?.close();
  }
}

function away(error: unknown, pending: number): string {
  const why = (error instanceof Error ? error.message : String(error)).split('\n')[0];
  return `memory is off: ${why} ${pending} entries wait in the ledger.`;
}
