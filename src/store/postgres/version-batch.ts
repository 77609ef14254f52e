import type { UpsertResult } from '../episode-store.ts';
import { takenUuid } from '../export-file.ts';
import {
  type ClosedVersion,
  type CurrentVersion,
  closeVersion,
  planImport,
  planUpsert,
  type VersionTimes,
} from '../plan-version.ts';
import type { PreparedEpisode } from '../prepare-episode.ts';
import type { Session } from './postgres-database.ts';

/** An entity by the number of its group. */
export interface EntityKey {
  groupId: number;
  entityId: string;
}

/** The groups must already have numbers. */
export function entityKey(prepared: PreparedEpisode, groupIds: ReadonlyMap<string, number>): EntityKey {
  const groupId = groupIds.get(prepared.group);
  if (groupId === undefined) throw new Error(`The group ${prepared.group} has no number.`);
  return { groupId, entityId: prepared.entityId };
}

export interface PlannedVersion {
  uuid: string;
  groupId: number;
  prepared: PreparedEpisode;
  times: VersionTimes;
}

/**
 * Plans the writes of one call in memory, each seeing those before it, so that all reach the server together. The
 * stored state must be loaded first.
 */
export class VersionBatch {
  readonly #current = new Map<string, CurrentVersion>();
  readonly #known = new Map<string, { entity: string; expiredAt: number | null }>();
  readonly #planned = new Map<string, PlannedVersion>();
  /** Of versions that are stored already. */
  readonly closes: ClosedVersion[] = [];

  get inserts(): PlannedVersion[] {
    return [...this.#planned.values()];
  }

  get isEmpty(): boolean {
    return this.#planned.size === 0 && this.closes.length === 0;
  }

  addCurrent(entity: EntityKey, current: CurrentVersion): void {
    this.#current.set(key(entity), current);
  }

  addStored(entity: EntityKey, uuid: string, expiredAt: number | null): void {
    this.#known.set(uuid, { entity: key(entity), expiredAt });
  }

  upsert(prepared: PreparedEpisode, entity: EntityKey, now: number): UpsertResult {
    const plan = planUpsert(prepared, this.#current.get(key(entity)), now);
    switch (plan.type) {
      case 'unchanged':
        return { action: 'unchanged', uuid: plan.uuid };
      case 'create':
        this.#insert(prepared, entity, plan.version.uuid, plan.version);
        return { action: 'created', uuid: plan.version.uuid };
      case 'update':
        this.#close(entity, plan.close);
        this.#insert(prepared, entity, plan.version.uuid, plan.version);
        return { action: 'updated', uuid: plan.version.uuid, previousUuid: plan.close.uuid };
    }
  }

  /** False if this version, or an equal open one, already exists. */
  import(prepared: PreparedEpisode, entity: EntityKey, version: CurrentVersion): boolean {
    const known = this.#known.get(version.uuid);
    if (known && known.entity !== key(entity)) throw takenUuid(prepared);
    const plan = planImport(version, known, this.#current.get(key(entity)));
    if (plan.type !== 'skip' && plan.close) this.#close(entity, plan.close);
    if (plan.type !== 'insert') return false;
    this.#insert(prepared, entity, version.uuid, plan.times);
    return true;
  }

  /** Closes an entity without a successor. */
  delete(entity: EntityKey, now: number): boolean {
    const current = this.#current.get(key(entity));
    if (!current) return false;
    this.#close(entity, closeVersion(current, now, now));
    return true;
  }

  #insert(prepared: PreparedEpisode, entity: EntityKey, uuid: string, times: VersionTimes): void {
    this.#planned.set(uuid, { uuid, groupId: entity.groupId, prepared, times });
    this.#known.set(uuid, { entity: key(entity), expiredAt: times.expiredAt });
    if (times.expiredAt === null)
      this.#current.set(key(entity), { uuid, contentHash: prepared.contentHash, ...times });
  }

  #close(entity: EntityKey, closed: ClosedVersion): void {
    const { uuid, invalidAt, expiredAt } = closed;
    const planned = this.#planned.get(uuid);
    if (planned) this.#planned.set(uuid, { ...planned, times: { ...planned.times, invalidAt, expiredAt } });
    else this.closes.push(closed);
    this.#known.set(uuid, { entity: key(entity), expiredAt });
    if (this.#current.get(key(entity))?.uuid === uuid) this.#current.delete(key(entity));
  }
}

function key({ groupId, entityId }: EntityKey): string {
  return `${groupId} ${entityId}`;
}

const CHUNK = 2000;

const READ_STATE = `
SELECT e.group_id, e.entity_id, e.uuid, e.content_hash AS "contentHash", e.valid_at AS "validAt",
  e.invalid_at AS "invalidAt", e.created_at AS "createdAt", e.expired_at AS "expiredAt"
FROM unnest($1::integer[], $2::text[]) AS w(group_id, entity_id)
JOIN guardkit.episode e ON e.group_id = w.group_id AND e.entity_id = w.entity_id AND e.expired_at IS NULL`;

/** Loads the current versions of the entities that a batch will write. */
export async function readState(
  session: Session,
  batch: VersionBatch,
  entities: readonly EntityKey[],
): Promise<void> {
  for (let start = 0; start < entities.length; start += CHUNK) {
    const chunk = entities.slice(start, start + CHUNK);
    const rows = await session.query<CurrentVersion & { group_id: number; entity_id: string }>({
      name: 'guardkit-state',
      text: READ_STATE,
      values: [chunk.map(({ groupId }) => groupId), chunk.map(({ entityId }) => entityId)],
    });
    for (const { group_id, entity_id, ...current } of rows) {
      batch.addCurrent({ groupId: group_id, entityId: entity_id }, current);
    }
  }
}

/** Loads which of these versions are stored. */
export async function readVersions(
  session: Session,
  batch: VersionBatch,
  uuids: readonly string[],
): Promise<void> {
  for (let start = 0; start < uuids.length; start += CHUNK) {
    const rows = await session.query<{
      uuid: string;
      expired_at: number | null;
      group_id: number;
      entity_id: string;
    }>({
      text: 'SELECT uuid, expired_at, group_id, entity_id FROM guardkit.episode WHERE uuid = ANY(?::text[])',
      values: [uuids.slice(start, start + CHUNK)],
    });
    for (const { uuid, expired_at, group_id, entity_id } of rows)
      batch.addStored({ groupId: group_id, entityId: entity_id }, uuid, expired_at);
  }
}
