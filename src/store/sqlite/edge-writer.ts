import { randomUUID } from 'node:crypto';
import type { Edge } from '../../domain/entities/episode.ts';
import type { RelationInput } from '../episode-store.ts';
import type { VersionTimes } from '../plan-version.ts';
import type { Database } from './open-database.ts';

/** Writes explicit relations. Every method runs inside a transaction. */
export class EdgeWriter {
  readonly #insert;
  readonly #close;

  constructor(database: Database) {
    this.#insert = database.prepare(
      `INSERT INTO edge (uuid, from_scope, from_id, relation, to_scope, to_id,
         valid_at, invalid_at, created_at, expired_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT DO NOTHING`,
    );
    this.#close = database.prepare(
      'UPDATE edge SET invalid_at = ?, expired_at = ? WHERE uuid = ? AND expired_at IS NULL',
    );
  }

  relate({ from, relation, to }: RelationInput, at: Pick<VersionTimes, 'validAt' | 'createdAt'>): boolean {
    const ends = [from.scope, from.id, relation, to.scope, to.id];
    return this.#insert.run(randomUUID(), ...ends, at.validAt, null, at.createdAt, null).changes > 0;
  }

  /** False if this edge, or an equal open one, already exists. */
  import(edge: Edge): boolean {
    const invalidAt = edge.invalid_at === null ? null : Date.parse(edge.invalid_at);
    const expiredAt = edge.expired_at === null ? null : Date.parse(edge.expired_at);
    const { changes } = this.#insert.run(
      edge.uuid,
      edge.from_scope,
      edge.from_id,
      edge.relation,
      edge.to_scope,
      edge.to_id,
      Date.parse(edge.valid_at),
      invalidAt,
      Date.parse(edge.created_at),
      expiredAt,
    );
    // Open here, but closed where it comes from.
    if (changes === 0 && expiredAt !== null) this.#close.run(invalidAt, expiredAt, edge.uuid);
    return changes > 0;
  }
}
