import { criterionWords } from '../../domain/criteria/criterion-similarity.ts';
import type { Trace } from '../../domain/entities/trace.ts';

const MAX_CHARACTERS = 4000;
const MAX_TOKENS = 300;

/** What stands in one trace and not in the next of the same kind: ids, paths, numbers, names with a suffix. */
function varies(token: string): boolean {
  if (/[0-9/\\_]/.test(token)) return true;
  if (token.includes('.') && !token.endsWith('.')) return true;
  return token.includes('-') && token === token.toUpperCase();
}

/** The words by which traces are alike, without what differs from case to case. */
export function traceWords({ event, source }: Pick<Trace, 'event' | 'source'>): string[] {
  // A person's correction says what should have been; what the agent had done may be anything.
  const said =
    source === 'user_correction' && event.what_was_correct !== ''
      ? event.what_was_correct
      : `${event.what_happened} ${event.what_was_correct}`;
  const kept = said
    .slice(0, MAX_CHARACTERS)
    .split(/\s+/)
    .slice(0, MAX_TOKENS)
    .filter((token) => token !== '' && !varies(token));
  return [...criterionWords(kept.join(' '))].sort();
}
