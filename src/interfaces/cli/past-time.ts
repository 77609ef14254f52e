import { isTimestamp, parseTimestamp } from '../../domain/timestamp.ts';
import { GuardKitError } from '../../guardkit-error.ts';

const DAY_MS = 86_400_000;

/** Reads `--since`: a date, a time, or how long ago in days or weeks. */
export function pastTime(text: string, now: number): string {
  const span = /^([0-9]{1,4})([dw])$/.exec(text);
  if (span) return new Date(now - Number(span[1]) * (span[2] === 'w' ? 7 : 1) * DAY_MS).toISOString();
  if (/^\d{4}-\d{2}-\d{2}$/.test(text) ? isTimestamp(`${text}T00:00:00Z`) : isTimestamp(text))
    return parseTimestamp(text);
  throw new GuardKitError({
    code: 'time.format',
    kind: 'input',
    message: `--since: "${text.slice(0, 60)}" is not a time GuardKit can read.`,
    hint: 'Give a date such as 2026-11-15, a time such as 2026-11-15T09:30:00Z, or how long ago, such as 7d or 12w.',
  });
}
