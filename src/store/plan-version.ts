import { randomUUID } from 'node:crypto';
import { GuardKitError } from '../guardkit-error.ts';
import type { PreparedEpisode } from './prepare-episode.ts';

/** Clocks of machines that share a store differ by less than this. */
const MAX_AHEAD_MS = 24 * 60 * 60 * 1000;

/** The times of one version in milliseconds. */
export interface VersionTimes {
  validAt: number;
  invalidAt: number | null;
  createdAt: number;
  expiredAt: number | null;
}

export interface CurrentVersion extends VersionTimes {
  uuid: string;
  contentHash: string;
}

export interface NewVersion extends VersionTimes {
  uuid: string;
}

export type VersionPlan =
  | { type: 'unchanged'; uuid: string }
  | { type: 'create'; version: NewVersion }
  | { type: 'update'; version: NewVersion; close: ClosedVersion };

export interface ClosedVersion {
  uuid: string;
  invalidAt: number;
  expiredAt: number;
}

/** What an upsert does to the versions of its entity. */
export function planUpsert(
  prepared: Pick<PreparedEpisode, 'contentHash' | 'validAt'>,
  current: CurrentVersion | undefined,
  now: number,
): VersionPlan {
  if (current?.contentHash === prepared.contentHash) return { type: 'unchanged', uuid: current.uuid };
  // A clock that was set back must not make a later version look older than the one it replaces.
  const createdAt = Math.max(now, current?.createdAt ?? now);
  const stated = prepared.validAt === undefined ? createdAt : Date.parse(prepared.validAt);
  if (stated > now + MAX_AHEAD_MS) throw futureValidAt(stated);
  // The writer's clock may be ahead; this is true now.
  const validAt = Math.min(stated, createdAt);
  const version = { uuid: newUuid(createdAt), validAt, invalidAt: null, createdAt, expiredAt: null };
  if (!current) return { type: 'create', version };
  return { type: 'update', version, close: closeVersion(current, validAt, createdAt) };
}

/** Reads of the present return the newest version, so a version from the future would count as true already. */
function futureValidAt(validAt: number): GuardKitError {
  return new GuardKitError({
    code: 'time.future',
    kind: 'input',
    message: `valid_at ${new Date(validAt).toISOString()} is in the future.`,
    hint: 'Omit valid_at, or give the time at which it became true.',
  });
}

/** Closes a version on both axes. A version replaced from before its own start was never true. */
export function closeVersion(current: CurrentVersion, from: number, now: number): ClosedVersion {
  return {
    uuid: current.uuid,
    invalidAt: Math.max(current.validAt, from),
    expiredAt: Math.max(current.createdAt, now),
  };
}

export type ImportPlan =
  | { type: 'skip' }
  | { type: 'close'; close: ClosedVersion }
  | { type: 'insert'; times: VersionTimes; close?: ClosedVersion };

/**
 * Where an imported version belongs. `known` is this store's copy of the same version, `current` the entity's open
 * version here.
 */
export function planImport(
  record: CurrentVersion,
  known: { expiredAt: number | null } | undefined,
  current: CurrentVersion | undefined,
): ImportPlan {
  if (known) return known.expiredAt === null ? planKnown(record) : { type: 'skip' };
  if (record.expiredAt !== null || !current) return { type: 'insert', times: record };
  if (current.contentHash === record.contentHash) return { type: 'skip' };
  if (isNewer(record, current)) {
    return { type: 'insert', times: record, close: closeVersion(current, record.validAt, record.createdAt) };
  }
  const closed = closeVersion(record, current.validAt, current.createdAt);
  return { type: 'insert', times: { ...record, invalidAt: closed.invalidAt, expiredAt: closed.expiredAt } };
}

/** For two versions written in the same millisecond the uuid decides, so that both sides of an exchange agree. */
function isNewer(a: CurrentVersion, b: CurrentVersion): boolean {
  return a.createdAt === b.createdAt ? a.uuid > b.uuid : a.createdAt > b.createdAt;
}

/** A version that is open here but closed elsewhere is closed. */
function planKnown({ uuid, invalidAt, expiredAt }: CurrentVersion): ImportPlan {
  if (invalidAt === null || expiredAt === null) return { type: 'skip' };
  return { type: 'close', close: { uuid, invalidAt, expiredAt } };
}

/** A version 7 UUID: it begins with the time, so that an index of them grows at its end. */
function newUuid(now: number): string {
  const time = now.toString(16).padStart(12, '0');
  // Node keeps random bytes in store for these, but not for who asks for sixteen of them. What follows the version
  // is the same in both kinds: twelve random bits, the variant, and more random bits.
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`;
}
