import type { StatementCache } from './statement-cache.ts';

/** False where this delivery of a stream, or a later one, has been taken in already. Inside a transaction. */
export function advanceStream(statements: StatementCache, stream: string, number: number): boolean {
  const { changes } = statements
    .get(
      `INSERT INTO stream_position (stream, number) VALUES (?, ?)
       ON CONFLICT (stream) DO UPDATE SET number = excluded.number WHERE number < excluded.number`,
    )
    .run(stream, number);
  return changes > 0;
}
