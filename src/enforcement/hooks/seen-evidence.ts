import type { RequiredEvidence } from '../../domain/protection/guard-mode.ts';
import type { HookContext } from './hook-context.ts';

type Seen = Record<RequiredEvidence, 'pass' | 'fail' | 'absent'>;

const NOTHING: Seen = { tests: 'absent', verified: 'absent' };

/** What GuardKit has seen of the files as they are. Looked for only where a guard asks for it: it takes a program start. */
export async function seenEvidence(work: HookContext): Promise<Seen> {
  if (!work.asksForEvidence) return NOTHING;
  const { readSeenEvidence } = await import('./read-seen-evidence.ts');
  return readSeenEvidence(work);
}
