import { bytesOf, isWithin, shownPath } from './byte-path.ts';
import { collectFacts, type ShellContext } from './collect-shell-facts.ts';
import { planMounts } from './plan-mounts.ts';
import { shellFolder } from './shell-folder.ts';
import { StampedReads } from './stamped-reads.ts';
import { FileFinder } from './tracked-files.ts';

export interface PlannedAccess {
  path: string;
  /** `write` only inside a read-only path. */
  access: 'read' | 'write';
}

/** The protected paths as GuardKit's own sandbox has them, for the sandbox of an agent. */
export function plannedAccess(context: ShellContext): PlannedAccess[] {
  const reads = new StampedReads();
  const finder = new FileFinder(
    shellFolder(context.dataFolder, context.git),
    reads,
    context.globs,
    Date.now(),
  );
  const facts = collectFacts(reads, context, (checkout, further) =>
    finder.find(checkout.root, checkout.gitDir, further),
  );
  const mounts = planMounts(facts).ordinary.filter(({ source, target }) => source === target);
  const closed = mounts.filter(({ writable }) => !writable).map(({ target }) => target);
  return (
    mounts
      .filter(({ target, writable }) => !writable || closed.some((folder) => isWithin(target, folder)))
      // Settings are text: a path that is not UTF-8 cannot be named there.
      .filter(({ target }) => Buffer.from(shownPath(target)).equals(bytesOf(target)))
      .map(({ target, writable }) => ({ path: shownPath(target), access: writable ? 'write' : 'read' }))
  );
}
