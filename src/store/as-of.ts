import { parseTimestamp } from '../domain/timestamp.ts';
import type { AsOf } from './episode-store.ts';

/** A read's two moments in milliseconds; undefined on an axis means now. */
export interface Moment {
  validAt: number | undefined;
  knownAt: number | undefined;
}

/** Undefined for a read of the present, which backends answer from their current rows. */
export function readMoment(asOf: AsOf | undefined): Moment | undefined {
  if (asOf === undefined) return undefined;
  const { validAt, knownAt } = typeof asOf === 'string' ? { validAt: asOf, knownAt: undefined } : asOf;
  if (validAt === undefined && knownAt === undefined) return undefined;
  return { validAt: toMillis(validAt), knownAt: toMillis(knownAt) };
}

function toMillis(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Date.parse(parseTimestamp(text));
}
