import type { Feature } from '../../domain/entities/feature.ts';
import { untested } from '../../enforcement/feature-list/record-verification.ts';
import { GuardKitError } from '../../guardkit-error.ts';
import type { NewEntry } from '../../store/ledger/ledger.ts';
import type { Session } from '../session/session.ts';
import type { SessionChange } from '../session/session-effect.ts';

/** What a change makes of its feature; `next` is the session after it. */
export function changedFeature(before: Feature, change: SessionChange, next: Session): Feature {
  switch (change.type) {
    case 'begin_feature':
      // An agent's word that it is done stands until the gates have spoken.
      return next.phase === 'testing' ? before : { ...before, status: 'in_progress', blocked_reason: null };
    case 'count_failure': {
      const status = next.feature === before.id ? 'in_progress' : 'pending';
      return { ...before, retries: change.retries, status };
    }
    case 'complete_feature':
      requireTested(before);
      return { ...before, status: 'completed', blocked_reason: null, closed: true };
    case 'block_feature':
      return { ...before, status: 'blocked', blocked_reason: change.dossier.question };
    case 'reopen_feature':
      return { ...untested(before), status: 'pending' };
  }
}

/** What of a change goes into the chain beside the features themselves. */
export function changeEntries(session: string, change: SessionChange): NewEntry[] {
  const of = { session_id: session, feature_id: change.feature };
  switch (change.type) {
    case 'begin_feature':
    case 'complete_feature':
      return [];
    case 'count_failure':
      return [{ kind: 'attempt_failed', body: { ...of, failure: change.failure } }];
    case 'block_feature': {
      const { attempts, question } = change.dossier;
      return [{ kind: 'feature_blocked', body: { ...of, attempts, question } }];
    }
    case 'reopen_feature':
      return [{ kind: 'feature_reopened', body: { ...of, why: change.why } }];
  }
}

/** What was verified may have been changed between the gates and now. */
function requireTested({ id, tested, evidence }: Feature): void {
  if (tested && evidence.length > 0) return;
  throw new GuardKitError({
    code: 'session.not-tested',
    kind: 'refused',
    message: `${id} is not tested any more, so it cannot be completed: it was changed after its verification.`,
    hint: `Verify it again with \`guardkit verify ${id}\`.`,
  });
}
