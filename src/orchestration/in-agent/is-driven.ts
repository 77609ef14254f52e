import type { Session } from '../session/session.ts';

/** Something goes on in it by itself: no person has said otherwise, and it has not ended. */
export function isDriven({ phase }: Pick<Session, 'phase'>): boolean {
  return phase !== 'new' && phase !== 'paused' && phase !== 'ended';
}
