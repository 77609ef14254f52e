import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { currentActor } from '../../../enforcement/feature-list/change-actor.ts';
import { listContext } from '../../../enforcement/feature-list/known-list.ts';
import { PERSON_ONLY } from '../../../store/ledger/kinds/guards/violations.ts';
import type { CliContext } from './cli-command.ts';

/** Records that an agent tried something that only a person may do. Without an agent, as in CI, it is not a violation. */
export async function recordRefusal(context: CliContext, command: string, why: string): Promise<void> {
  try {
    if ((await context.findAgent()) === undefined) return;
    const { home, project, root } = await context.workspace();
    if (!project.known || root === undefined || !existsSync(join(home, 'ledger.db'))) return;
    const ledger = await context.ledger();
    const changedBy = currentActor(listContext(ledger, project.id, root, home), context.env);
    const actor = changedBy.inWindow ? changedBy.actor : undefined;
    ledger.append(project.id, 'violation_recorded', {
      session: actor?.session ?? 'unknown',
      agent: actor?.agent ?? 'unknown',
      agent_type: actor?.type ?? null,
      guard: PERSON_ONLY,
      what: why,
      path: `guardkit ${command}`,
      before_hash: null,
      found_hash: null,
      quarantined: null,
      restored: true,
      action: changedBy.inWindow ? changedBy.action : null,
    });
  } catch {
    // Safe: the command is refused anyway, and whatever needs the ledger reports that it cannot be written.
  }
}
