import { changeFeatures } from '../../store/ledger/feature-table.ts';
import type { Ledger } from '../../store/ledger/ledger.ts';

/** A person merged it: later changes are no longer its own, and take nothing back. */
export function closeFeature(ledger: Ledger, project: string, id: string, by: string): void {
  changeFeatures(ledger, project, (current) => ({
    by: 'person',
    actor: by,
    features: current
      .filter((one) => one.id === id)
      .map((one) => ({ ...one, status: 'completed' as const, blocked_reason: null, closed: true })),
  }));
}
