import type { LearnedGuard } from '../../../domain/entities/learned-guard.ts';
import { didYouMean, nearestWord } from '../../../domain/nearest-word.ts';
import { GuardKitError } from '../../../guardkit-error.ts';
import type { Changed } from '../../../learning/proposals/change-learned-guard.ts';
import type { Ledger } from '../../../store/ledger/ledger.ts';
import { readLearnedGuards } from '../../../store/ledger/tables/learned-guards.ts';

/** A guard that was made of a pattern. Others are a person's files, and changed there. */
export function requireLearned(ledger: Ledger, project: string, id: string): LearnedGuard {
  const learned = readLearnedGuards(ledger, project);
  const found = learned.find(({ guard_id }) => guard_id === id);
  if (found) return found;
  const ids = learned.map(({ guard_id }) => guard_id);
  const near = nearestWord(id, ids);
  throw new GuardKitError({
    code: 'guard.not-learned',
    kind: 'input',
    message: `No guard "${id.slice(0, 80)}" was learned in this project.`,
    hint:
      didYouMean(near, '') ||
      (ids.length > 0
        ? `There are ${ids.join(', ')}.`
        : 'There is none yet; `guardkit guard propose` shows the patterns that one can be made of. How other guards act is said in .guardkit/config.yaml.'),
  });
}

/** What a guard is after a change of it; an error where it was not to be. */
export function requireChanged(changed: Changed, hint: string): LearnedGuard {
  if (changed.ok) return changed.guard;
  throw guardUnchanged(changed.why, hint);
}

export function guardUnchanged(why: string, hint: string): GuardKitError {
  return new GuardKitError({ code: 'guard.unchanged', kind: 'refused', message: why, hint });
}
