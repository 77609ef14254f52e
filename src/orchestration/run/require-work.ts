import { didYouMean, nearestWord } from '../../domain/nearest-word.ts';
import { GuardKitError } from '../../guardkit-error.ts';
import type { KeptSession } from '../session-record/kept-session.ts';

/** There is something to do, or something to make it of; and what was asked for by name is there. */
export function requireWork(
  ids: readonly string[],
  { only, hasBrief }: { only: readonly string[] | null; hasBrief: boolean },
): void {
  const known = new Set(ids);
  const unknown = only?.find((id) => !known.has(id));
  if (unknown !== undefined) throw unknownFeature(unknown, ids);
  if (ids.length > 0 || hasBrief) return;
  throw new GuardKitError({
    code: 'run.no-brief',
    kind: 'input',
    message: 'There are no features here, and nothing that says what is to be made.',
    hint: 'Name a file that does with --brief FILE, commit a README.md, or add features with `guardkit feature add`.',
  });
}

/** Two that drive the same features would undo each other's work. */
export function requireNoOther(open: readonly KeptSession[]): void {
  const other = open.find(({ session }) => session.driven_by !== 'run');
  if (other) throw otherSession(other);
}

function unknownFeature(id: string, known: readonly string[]): GuardKitError {
  const meant = nearestWord(id, known);
  return new GuardKitError({
    code: 'run.unknown-feature',
    kind: 'input',
    message: `There is no feature ${id.slice(0, 80)} on the base.${didYouMean(meant)}`,
    hint: '`guardkit feature list` shows them all; one that a file defines has to be committed.',
  });
}

function otherSession({ session, began_at }: KeptSession): GuardKitError {
  return new GuardKitError({
    code: 'run.other-session',
    kind: 'refused',
    message: `An agent drives session ${session.session} of this project since ${began_at}; it is ${session.phase}.`,
    hint: 'Let it come to its end, or give it up with `guardkit session abandon`; then run this again.',
  });
}
