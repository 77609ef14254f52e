import type { Ledger } from '../../../store/ledger/ledger.ts';
import type { CliContext } from '../cli-command.ts';

/** Nobody waits longer than this for memory. */
const PATIENCE_MS = 5000;

/** Brings what was recorded to memory. A store that is away is said; the ledger has it all, and later runs deliver. */
export async function deliver(context: CliContext, ledger: Ledger): Promise<string | undefined> {
  const { deliverOutbox } = await import('../../../store/ledger/deliver-outbox.ts');
  try {
    const report = await deliverOutbox(ledger, await context.store(), {
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    return report.failure ? away(report.failure, report.pending) : undefined;
  } catch (error) {
    // Safe: memory may be away, and says so.
    return away(error, ledger.outbox.status().pending);
  }
}

function away(error: unknown, pending: number): string {
  const why = (error instanceof Error ? error.message : String(error)).split('\n')[0];
  return `memory is off: ${why} ${pending} entries wait in the ledger.`;
}
