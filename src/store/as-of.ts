import { parseTimestamp } from '../domain/timestamp.ts';
import type { AsOf } from './episode-store.ts';
import type { Sql } from './sql.ts';

/** Later than any date: "now" on an axis that a read leaves open. */
const END_OF_TIME = 8_640_000_000_000_000;

/** SQL condition for the one version of an entity in force at a moment; `e` is the episode, `table` its table. */
export function versionCondition(moment: Moment | undefined, table: string): Sql<number> {
  if (!moment) return { text: 'e.expired_at IS NULL', values: [] };
  const version = inForce('e', moment);
  const later = inForce('later', moment);
  return {
    text:
      `${version.text} AND NOT EXISTS (SELECT 1 FROM ${table} later WHERE later.group_id = e.group_id ` +
      `AND later.entity_id = e.entity_id AND (later.created_at, later.seq) > (e.created_at, e.seq) AND ${later.text})`,
    values: [...version.values, ...later.values],
  };
}

/** SQL condition for a row that covers a moment on both axes; undefined means the present. */
export function inForce(alias: string, moment: Moment | undefined): Sql<number> {
  if (!moment) return { text: `${alias}.expired_at IS NULL`, values: [] };
  const known = moment.knownAt ?? END_OF_TIME;
  const valid = moment.validAt ?? END_OF_TIME;
  return {
    // Its end was not known before it expired.
    text:
      `${alias}.created_at <= ? AND ${alias}.valid_at <= ? AND ` +
      `(${alias}.expired_at IS NULL OR ${alias}.expired_at > ? OR ${alias}.invalid_at > ?)`,
    values: [known, valid, known, valid],
  };
}

/** The two times of a read in milliseconds; undefined on an axis means now. */
export interface Moment {
  validAt: number | undefined;
  knownAt: number | undefined;
}

/** Undefined for a read of the present, which backends answer from current rows. */
export function readMoment(asOf: AsOf | undefined): Moment | undefined {
  if (asOf === undefined) return undefined;
  const { validAt, knownAt } = typeof asOf === 'string' ? { validAt: asOf, knownAt: undefined } : asOf;
  if (validAt === undefined && knownAt === undefined) return undefined;
  return { validAt: toMillis(validAt), knownAt: toMillis(knownAt) };
}

function toMillis(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Date.parse(parseTimestamp(text));
}
