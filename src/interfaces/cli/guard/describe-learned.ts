import type { Backtest, LearnedGuard } from '../../../domain/entities/learned-guard.ts';
import type { Pattern } from '../../../domain/entities/pattern.ts';
import { oneLine, plural } from '../output/printable.ts';

const SHOWN = 10;

export function describeBacktest(backtest: Backtest, width: number): string[] {
  const { actions, fired, violations, approved, unknown, false_blocks: wrong } = backtest;
  return [
    `  would have fired ${plural(fired, 'time')} in ${plural(actions, 'recorded action')}: ${plural(violations, 'violation')}, ${approved} approved, ${unknown} nobody has judged`,
    ...(wrong.length === 0 ? [] : ['  would have been wrong about:']),
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
    `  made of ${pattern_id} in ${origin}`,
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
