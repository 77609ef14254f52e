import type { Session } from './postgres-database.ts';

/** Bytes of all tables of the schema, with their indexes. */
export async function schemaSize(session: Session): Promise<number> {
  const [row] = await session.query<{ size: number }>({
    text: `SELECT coalesce(sum(pg_total_relation_size(oid)), 0)::bigint AS size FROM pg_class
           WHERE relnamespace = to_regnamespace('guardkit') AND relkind = 'r'`,
    values: [],
  });
  return row?.size ?? 0;
}
