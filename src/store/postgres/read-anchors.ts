import type { StreamAnchor } from '../episode-store.ts';
import type { Session } from './postgres-database.ts';

export async function readAnchors(session: Session, stream: string): Promise<StreamAnchor[]> {
  const rows = await session.query<{ number: number; hash: string; at: Date }>({
    text: 'SELECT number, hash, at FROM guardkit.ledger_anchor WHERE stream = ? ORDER BY number',
    values: [stream],
  });
  return rows.map(({ number, hash, at }) => ({ number, hash, at: at.toISOString() }));
}
