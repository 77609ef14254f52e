import { hasWrappedProcesses } from '../shell/wrapped-processes.ts';
import { repositoryFolder, type WatchContext } from '../watch/watch-context.ts';
import { type AgentAction, openActions, watchTables } from './open-actions.ts';
import { isOver, knownSessions } from './sessions.ts';

/**
 * Whether something of an agent may be writing in this repository now: an open action, a live session without a sandbox
 * that has acted, or a process in the shell wrapper. Asked only where something changed: it reads the process table.
 */
export function agentsAtWork(context: WatchContext): boolean {
  const repository = repositoryFolder(context);
  const isHere = ({ body }: AgentAction) => body.repository === repository && body.confined !== true;
  return (
    openActions(watchTables(context.ledger)).some(isHere) ||
    unwrappedAgentsAtWork(context) ||
    hasWrappedProcesses(context.git)
  );
}

/** A session, alive or survived by processes, whose commands nothing keeps from writing protected files. */
export function unwrappedAgentsAtWork(context: WatchContext): boolean {
  const repository = repositoryFolder(context);
  return knownSessions(watchTables(context.ledger)).some(
    (one) =>
      one.acted === true &&
      one.wrapped !== true &&
      one.confined !== true &&
      one.repository === repository &&
      (!isOver(one) || (one.left?.length ?? 0) > 0),
  );
}
