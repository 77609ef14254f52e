import { gitSync } from '../../platform/git/git-sync.ts';
import { hasEntry } from '../../store/ledger/chain/has-entry.ts';
import type { WatchContext } from '../watch/watch-context.ts';

/** When GuardKit looks at a project for the first time, everything in HEAD counts as a person's. */
export function trustFirstHead({ ledger, project, git }: WatchContext): void {
  if (hasEntry(ledger, project, 'definitions_trusted')) return;
  const head = gitSync(git.gitDir, ['rev-parse', '--verify', '--quiet', 'HEAD^{commit}'])?.trim();
  if (head === undefined || head === '') return;
  // Versions before this one recorded other things about a project, but not whose its definitions are.
  const reason = ledger.head(project) === undefined ? 'init' : 'upgrade';
  ledger.append(project, 'definitions_trusted', { commit: head, reason, by: null });
}
