import { randomUUID } from 'node:crypto';
import type { DeclaredRelation } from '../../domain/entity-type.ts';
import type { Edge } from '../../domain/episode.ts';
import type { EntityRef, RelationInput } from '../episode-store.ts';
import type { VersionTimes } from '../plan-version.ts';
import type { Database } from './open-database.ts';

type Beginning = Pick<VersionTimes, 'validAt' | 'createdAt'>;

interface OpenEdge {
  seq: number;
  relation: string;
  to_scope: string;
  to_id: string;
  valid_at: number;
}

/** Writes relations. Every method runs inside a transaction. */
export class EdgeWriter {
  readonly #declared;
  readonly #close;
  readonly #insert;

  constructor(database: Database) {
    this.#declared = database.prepare<[string, string, number], OpenEdge>(
      `SELECT seq, relation, to_scope, to_id, valid_at FROM edge
       WHERE from_scope = ? AND from_id = ? AND declared_by = ? AND expired_at IS NULL`,
    );
    this.#close = database.prepare('UPDATE edge SET invalid_at = ?, expired_at = ? WHERE seq = ?');
    this.#insert = database.prepare(
      `INSERT INTO edge (uuid, from_scope, from_id, relation, to_scope, to_id, declared_by,
         valid_at, invalid_at, created_at, expired_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT DO NOTHING`,
    );
  }

  /** Makes the open edges of an entity those that its body declares, and closes the others it declared before. */
  declare(from: EntityRef, groupId: number, relations: readonly DeclaredRelation[], at: Beginning): void {
    const wanted = new Map(relations.map((relation) => [`${relation.relation} ${relation.to}`, relation]));
    for (const open of this.#declared.all(from.scope, from.id, groupId)) {
      const stays = open.to_scope === from.scope && wanted.delete(`${open.relation} ${open.to_id}`);
      if (!stays) this.#close.run(Math.max(open.valid_at, at.validAt), at.createdAt, open.seq);
    }
    for (const { relation, to } of wanted.values()) {
      this.#add({ from, relation, to: { scope: from.scope, id: to } }, groupId, at);
    }
  }

  relate(relation: RelationInput, at: Beginning): boolean {
    return this.#add(relation, null, at);
  }

  /** False if this edge, or an open one that says the same, is here already. */
  import(edge: Edge, declaredBy: number | null): boolean {
    const { changes } = this.#insert.run(
      edge.uuid,
      edge.from_scope,
      edge.from_id,
      edge.relation,
      edge.to_scope,
      edge.to_id,
      declaredBy,
      Date.parse(edge.valid_at),
      edge.invalid_at === null ? null : Date.parse(edge.invalid_at),
      Date.parse(edge.created_at),
      edge.expired_at === null ? null : Date.parse(edge.expired_at),
    );
    return changes > 0;
  }

  #add({ from, relation, to }: RelationInput, groupId: number | null, at: Beginning): boolean {
    const { changes } = this.#insert.run(
      randomUUID(),
      from.scope,
      from.id,
      relation,
      to.scope,
      to.id,
      groupId,
      at.validAt,
      null,
      at.createdAt,
      null,
    );
    return changes > 0;
  }
}
