import type { Backtest, LearnedGuard } from '../../../domain/entities/learned-guard.ts';
import type { Pattern } from '../../../domain/entities/pattern.ts';
import { didYouMean, nearestWord } from '../../../domain/nearest-word.ts';
import { GuardKitError } from '../../../guardkit-error.ts';
import type { Changed } from '../../../learning/proposals/change-learned-guard.ts';
import type { Ledger } from '../../../store/ledger/ledger.ts';
import { readLearnedGuards } from '../../../store/ledger/tables/learned-guards.ts';
import { oneLine, plural } from '../output/printable.ts';

/** A guard made from a pattern. Other guards are files, and are changed there. */
export function requireLearned(ledger: Ledger, project: string, id: string): LearnedGuard {
  const learned = readLearnedGuards(ledger, project);
  const found = learned.find(({ guard_id }) => guard_id === id);
  if (found) return found;
  const ids = learned.map(({ guard_id }) => guard_id);
  const near = nearestWord(id, ids);
  throw new GuardKitError({
    code: 'guard.not-learned',
    kind: 'input',
    message: `"${id.slice(0, 80)}" is not a learned guard of this project.`,
    hint:
      didYouMean(near, '') ||
      (ids.length > 0
        ? `Learned guards: ${ids.join(', ')}.`
        : 'There are none yet; `guardkit guard propose` lists patterns to make one from. Modes of other guards are set in .guardkit/config.yaml.'),
  });
}

/** The changed guard; throws if the change was refused. */
export function requireChanged(changed: Changed, hint: string): LearnedGuard {
  if (changed.ok) return changed.guard;
  throw guardUnchanged(changed.why, hint);
}

export function guardUnchanged(why: string, hint: string): GuardKitError {
  return new GuardKitError({ code: 'guard.unchanged', kind: 'refused', message: why, hint });
}

const SHOWN = 10;

export function describeBacktest(backtest: Backtest, width: number): string[] {
  const { actions, fired, violations, approved, unknown, false_blocks: wrong } = backtest;
  return [
    `  would have fired ${plural(fired, 'time')} in ${plural(actions, 'recorded action')}: ${plural(violations, 'violation')}, ${approved} approved, ${unknown} not judged`,
    ...(wrong.length === 0 ? [] : ['  false positives:']),
    ...wrong
      .slice(0, SHOWN)
      .map(({ at, feature, summary }) => `    ${oneLine(`${at} ${feature ?? ''} ${summary}`, width - 4)}`),
    ...(approved > SHOWN ? [`    and ${approved - SHOWN} more`] : []),
  ];
}

export function describeLearned(guard: LearnedGuard, width: number): string[] {
  const { guard_id, mode, pattern_id, origin, definition } = guard;
  return [
    oneLine(`${guard_id} (${mode}): ${String(definition.summary ?? '')}`, width),
    `  from ${pattern_id} in ${origin}`,
    ...describeBacktest(guard.backtest, width),
  ];
}

export function describePattern(pattern: Pattern, width: number): string[] {
  const { pattern_id, what, count, features, sessions, trend, first_at, last_at, suggests } = pattern;
  const where = features.length === 0 ? '' : ` in ${features.slice(-5).join(', ')}`;
  return [
    oneLine(`${pattern_id}: ${what}`, width),
    `  ${oneLine(`${count} times${where}, ${plural(sessions, 'session')}, ${trend}; ${first_at.slice(0, 10)} to ${last_at.slice(0, 10)}`, width - 2)}`,
    ...suggests.map(
      ({ what: kind, why }) => `  ${oneLine(`${kind.replaceAll('_', ' ')}: ${why}`, width - 2)}`,
    ),
  ];
}
