import { GuardKitError } from '../../guardkit-error.ts';
import { isRunning, readProcess } from '../../platform/processes/process-table.ts';
import { readActions, watchTables } from '../actions/open-actions.ts';
import { findSession } from '../actions/sessions.ts';
import type { HookSource } from './hook-event.ts';
import type { Enforcement } from './open-enforcement.ts';

export interface HookCaller {
  /** The process that had the hook run. */
  starter: number;
  /** The agent's own program, as the hook was told. */
  agentPid: number | undefined;
  /** The hook came through the broker, from inside an agent's wrapper. */
  insideAgent?: boolean;
}

const MAX_ANCESTORS = 64;

/**
 * Events come from the agent's own program and from nothing that it runs: whoever could tell of its end could close the
 * window that it acts in. One that comes from elsewhere is refused and recorded, and changes nothing else.
 */
export function refuseForged(enforcement: Enforcement, source: HookSource, caller: HookCaller): void {
  const why = whyForged(enforcement, source, caller);
  if (why !== undefined) throw forgedEvent(enforcement, source, why);
}

/** Puts it on record; the error is to be thrown. */
export function forgedEvent(
  { ledger, project }: Pick<Enforcement, 'ledger' | 'project'>,
  source: HookSource,
  why: string,
): GuardKitError {
  ledger.append(project, 'violation_recorded', {
    session: source.session,
    agent: source.agent,
    agent_type: source.actorType ?? null,
    guard: 'hook-forgery',
    what: `an event of a hook was made up: ${why}`,
    path: 'guardkit hook',
    before_hash: null,
    found_hash: null,
    quarantined: null,
    restored: true,
    action: null,
  });
  return new GuardKitError({
    code: 'hook.forged',
    kind: 'refused',
    message: `This event does not come from the agent’s own program: ${why}. It changes nothing, and is on record.`,
    hint: 'Hooks are run by the agent’s program alone, with the command that `guardkit init` writes into its settings.',
  });
}

function whyForged(
  { ledger, project }: Enforcement,
  { session }: HookSource,
  { starter, agentPid, insideAgent = false }: HookCaller,
): string | undefined {
  if (insideAgent) {
    const program = findSession({ ledger, project }, session)?.process;
    return program && isRunning(program)
      ? `it came from inside the wrapper, and the session’s program, process ${program.pid}, runs outside`
      : undefined;
  }
  if (agentPid !== undefined && agentPid !== starter)
    return `process ${starter} had the hook run, and the agent is process ${agentPid}`;
  const known = findSession({ ledger, project }, session)?.process;
  if (!known || known.pid === starter || !isRunning(known)) return undefined;
  if (isBelow(starter, known.pid)) return `process ${starter}, which the agent started, had the hook run`;
  // A person may go on with a session in another terminal; what came up in the middle of its actions is no person's.
  const row = readProcess(starter);
  const born = readActions(watchTables(ledger)).some(
    (one) =>
      one.session === session &&
      one.body.mark !== null &&
      row !== undefined &&
      row.started >= one.body.mark.now,
  );
  return born ? `process ${starter}, which began during an action of the agent, had the hook run` : undefined;
}

function isBelow(pid: number, above: number): boolean {
  let one = readProcess(pid);
  for (let count = 0; one && count < MAX_ANCESTORS; count++) {
    if (one.parent === above) return true;
    one = readProcess(one.parent);
  }
  return false;
}
