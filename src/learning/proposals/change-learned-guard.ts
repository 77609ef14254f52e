import { guardFileSchema } from '../../config/guard-files/guard-file.ts';
import type { Backtest, LearnedGuard } from '../../domain/entities/learned-guard.ts';
import type { GuardRecorded } from '../../store/ledger/kinds/memory/guard-recorded.ts';
import type { Ledger } from '../../store/ledger/ledger.ts';
import { changeGuard } from '../../store/ledger/tables/learned-guards.ts';

export interface GuardChange {
  ledger: Ledger;
  project: string;
  guardId: string;
  /** In milliseconds since 1970. */
  now: number;
  by: string;
  why: string;
}

export type Changed = { ok: true; guard: LearnedGuard } | { ok: false; why: string };

/** From watching to refusing. */
const ORDER = ['off', 'shadow', 'warn', 'enforce'] as const;

/**
 * Lets a guard warn or refuse. The caller has checked that a person decided it, or that the person's limits allow it.
 */
export function promoteGuard(change: GuardChange, to: 'warn' | 'enforce', backtest?: Backtest): Changed {
  return apply(change, 'promoted', (guard) => {
    if (guard.mode === 'off') return `${guard.guard_id} is retired; propose it again first.`;
    if (ORDER.indexOf(to) <= ORDER.indexOf(guard.mode))
      return `${guard.guard_id} is already in mode ${guard.mode}.`;
    return { ...guard, mode: to, backtest: backtest ?? guard.backtest };
  });
}

/** Makes it only watch again. */
export function demoteGuard(change: GuardChange): Changed {
  return apply(change, 'demoted', (guard) =>
    guard.mode === 'warn' || guard.mode === 'enforce'
      ? { ...guard, mode: 'shadow' }
      : `${guard.guard_id} already only watches.`,
  );
}

export function retireGuard(change: GuardChange): Changed {
  return apply(change, 'retired', (guard) =>
    guard.mode === 'off' ? `${guard.guard_id} is already retired.` : { ...guard, mode: 'off' },
  );
}

/** Shares it with all projects, where it only watches until somebody promotes it. */
export function shareGuard(change: GuardChange): Changed {
  return apply(change, 'shared', (guard) => (guard.mode === 'off' ? `${guard.guard_id} is retired.` : guard));
}

export function keepBacktest(change: GuardChange, backtest: Backtest): Changed {
  return apply(change, 'backtested', (guard) => ({ ...guard, backtest }));
}

function apply(
  { ledger, project, guardId, now, by, why }: GuardChange,
  change: GuardRecorded['change'],
  decide: (guard: LearnedGuard) => LearnedGuard | string,
): Changed {
  const changed = changeGuard<string>(ledger, project, guardId, (guard) => {
    if (!guard) return { ok: false, refusal: `No learned guard ${guardId.slice(0, 80)}.` };
    const next = decide(guard);
    if (typeof next === 'string') return { ok: false, refusal: next };
    const mode_since = next.mode === guard.mode ? guard.mode_since : new Date(now).toISOString();
    // A stored definition may be older; only one that passes the schema takes effect.
    guardFileSchema.parse(next.definition);
    return { ok: true, recorded: { change, by, why, guard: { ...next, mode_since } } };
  });
  return changed.ok ? changed : { ok: false, why: changed.refusal };
}
