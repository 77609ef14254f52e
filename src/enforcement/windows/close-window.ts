import { checkAreas } from './check-areas.ts';
import { type ActionTime, endWindows } from './end-windows.ts';
import { newWindow, type Opening } from './new-window.ts';
import { allOf, NOTHING_RESTORED, type WindowResult } from './restored.ts';
import { settleGone } from './settle-gone.ts';
import { concerns, knownAreas, watchTables } from './watch.ts';
import type { WatchPlace } from './watch-place.ts';
import { type ActionWindow, readWindows } from './window.ts';

export interface Closing {
  session: string;
  action: string;
  /** False for one that was refused, so that it cannot have left anything running. */
  ran?: boolean;
  /** False where everything that an action starts ends with it, as in a sandbox: then no other process can be its. */
  orphans?: boolean;
  /** If its agent says so: what a person changed before it began is then theirs. */
  took?: ActionTime | undefined;
}

/** After an agent's action, with or without success. Nothing happens for one that is closed already. */
export function closeWindow(
  place: WatchPlace,
  { session, action, ran = true, orphans = true, took }: Closing,
): WindowResult {
  const tables = watchTables(place.ledger);
  const window = readWindows(tables).find(
    (one) =>
      isHere(place, one) &&
      one.session === session &&
      one.action === action &&
      // A prompt in the middle of it may have found it running.
      one.body.state !== 'scheduled',
  );
  if (!window) return NOTHING_RESTORED;
  return endWindows(place, tables, [window], { thorough: false, orphans, ran, took });
}

export function hasWindow(
  place: WatchPlace,
  { session, action }: Pick<Closing, 'session' | 'action'>,
): boolean {
  return readWindows(watchTables(place.ledger)).some(
    (one) => isHere(place, one) && one.session === session && one.action === action,
  );
}

/** What the agent that talks to a person has begun and not ended, in a line. */
export function openAction(place: WatchPlace, session: string): string | undefined {
  return readWindows(watchTables(place.ledger)).find(
    ({ session: of, body, ...window }) =>
      isHere(place, { ...window, session: of, body }) &&
      of === session &&
      body.state === 'open' &&
      body.agent_id === null,
  )?.body.summary;
}

/**
 * After an action whose window is gone, though nobody who may has closed it: what has changed since it was last looked is
 * the action's all the same.
 */
export function closeLost(place: WatchPlace, opening: Opening): WindowResult {
  const tables = watchTables(place.ledger);
  const window = newWindow(place, opening);
  const areas = knownAreas(place, tables).filter((area) => concerns(area, window));
  return checkAreas(place, tables, areas, { window, uncertain: true, thorough: true });
}

/** Whose windows are over, though nobody told of the end of each. */
export interface Settling {
  session: string;
  /** All of it, rather than what one agent of it did. */
  whole?: boolean;
  /** Of one subagent; left out, of the agent that talks to a person. */
  agentId?: string | undefined;
  /** Only these actions. */
  actions?: readonly string[];
}

/**
 * After a batch, a stop, before a prompt, at the end of a session: ends the windows of actions that never got their own end,
 * since they were refused or their hook was killed, and of whatever else is gone meanwhile. Without a session only that.
 */
export function settle(place: WatchPlace, settling?: Settling): WindowResult {
  const tables = watchTables(place.ledger);
  const all = readWindows(tables);
  if (all.length === 0) return NOTHING_RESTORED;
  const over = settling ? all.filter((one) => isHere(place, one) && isOver(one, settling)) : [];
  const ended = endWindows(place, tables, over, { thorough: true, orphans: false, ran: true });
  return allOf([ended, settleGone(place, tables)]);
}

function isHere({ project, checkout }: WatchPlace, window: ActionWindow): boolean {
  return window.project === project && window.checkout === checkout;
}

function isOver(
  { session: of, action, body }: ActionWindow,
  { session, whole = false, agentId, actions }: Settling,
): boolean {
  if (of !== session || body.state !== 'open') return false;
  if (actions) return actions.includes(action);
  return whole || body.agent_id === (agentId ?? null);
}
