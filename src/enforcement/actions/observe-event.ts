import type { TimeSpan } from '../effective/change-time.ts';
import { watchRebases } from '../effective/rebase-todo.ts';
import type { RestoredFile } from '../effective/restore-file.ts';
import type { ChangeActor } from '../feature-list/change-actor.ts';
import {
  tellAgent as tellAgentOfList,
  tellPerson as tellPersonOfList,
} from '../feature-list/format-reconciliation.ts';
import { lookAtOtherLists } from '../feature-list/look-at-other-lists.ts';
import { isAsLeft, type Reconciled, reconcileFeatureList } from '../feature-list/reconcile-feature-list.ts';
import type { HookContext } from '../hooks/hook-context.ts';
import type { HookAnswer } from '../hooks/hook-event.ts';
import { type Observation, observeChanges } from '../hooks/observe-changes.ts';
import { actorOf } from '../hooks/to-action.ts';
import { personsCheckouts } from '../watch/watch-areas.ts';
import { agentsAtWork } from './agents-at-work.ts';
import { type AgentAction, endActions, openActions, watchTables } from './open-actions.ts';

/** What both sides are told after a look. */
export interface Report {
  /** For the agent; empty where there is nothing to say. */
  wrong: string;
  /** For the person. */
  notices: string[];
}

export interface EventLook {
  /** Actions that end with this event. */
  ended?: readonly AgentAction[];
  /** How long the one action took by itself, without the time in which a person was asked. */
  tookMs?: number | undefined;
  everywhere?: boolean;
  /** The agent stops here: a person may go on with what it left. */
  leaving?: boolean;
}

/** Looks at everything once, ends the actions that are over, and says what both sides should know. */
export function observeEvent(context: HookContext, action: string | null, look: EventLook = {}): Report {
  const { ended = [], tookMs, everywhere = ended.some(({ body }) => body.runs) } = look;
  const { watch, toldAt } = context;
  const endings = ended.map((one) => ({ action: one, span: spanOf(one, toldAt, tookMs) }));
  const observation = observeChanges(watch, { ended: endings, everywhere });
  const leaving = look.leaving ? context.source : undefined;
  observation.restored.push(...watchRebases(watch, { ended: endings, leaving }));
  const list = observeList(context, action, ended);
  endActions(watch, ended);
  return describeLook(observation, list);
}

/** Time between the end of an action and the start of the hook that reports it. */
const SLACK_MS = 5000;

function spanOf({ opened_at }: AgentAction, toldAt: number, tookMs: number | undefined): TimeSpan {
  const begin = tookMs === undefined ? opened_at : Math.max(opened_at, toldAt - tookMs - SLACK_MS);
  return { begin, end: undefined };
}

/** Looks at the feature list, and at those of other checkouts that a command can reach. */
function observeList(context: HookContext, action: string | null, ended: readonly AgentAction[]): Reconciled {
  const actor = actorOfChange(context, action, ended);
  const own = reconcileFeatureList(context.list, actor);
  if (context.confined) return own;
  const others = lookAtOtherLists(context.list, personsCheckouts(context.watch), actor);
  return own.unchanged ? (others[0] ?? own) : own;
}

/** Who changed a list: the agent that acts, a person if no agent is at work, or one of them. */
export function actorOfChange(
  { source, list, watch, confined }: HookContext,
  action: string | null,
  ended: readonly AgentAction[] = [],
): ChangeActor {
  const agent = { inWindow: true, actor: actorOf(source), action } as const;
  if (ended.length > 0) return agent;
  // Nothing changed, so nobody is looked for.
  if (isAsLeft(list)) return { inWindow: false };
  const open = openActions(watchTables(watch.ledger)).some(({ checkout }) => checkout === watch.checkout);
  if (open) return agent;
  return !confined && agentsAtWork(watch) ? { ...agent, unknown: true } : { inWindow: false };
}

const MAX_TOLD = 10;

export function describeLook({ restored, noticed, notices }: Observation, list: Reconciled): Report {
  const told = [tellAgent(restored), tellAgentOfList(list) ?? ''];
  return {
    wrong: told.filter((text) => text !== '').join('\n'),
    notices: [
      ...restored.slice(0, MAX_TOLD).map(tellPerson),
      ...noticed
        .slice(0, MAX_TOLD)
        .map((line) => `GuardKit: ${line}. It stays; \`guardkit status\` lists it.`),
      ...notices,
      ...tellPersonOfList(list).map((line) => `GuardKit: ${line}`),
    ],
  };
}

function tellAgent(restored: readonly RestoredFile[]): string {
  if (restored.length === 0) return '';
  const paths = restored.slice(0, MAX_TOLD).map(({ path, what }) => `${path} ${what}`);
  const more = restored.length > MAX_TOLD ? `, and ${restored.length - MAX_TOLD} more` : '';
  return `GuardKit restored protected files: ${paths.join('; ')}${more}. Agents may not change them; ask the person if a change is needed.`;
}

function tellPerson({ path, what, failure }: RestoredFile): string {
  const did = failure === undefined ? 'GuardKit restored it' : `GuardKit could not restore it: ${failure}`;
  return `GuardKit: ${path} ${what} during the agent's action. ${did}. If that was you: \`guardkit restore ${path}\`.`;
}

/** The answer that reports a look, and stops the agent if something was restored. */
export function reportTo({ wrong, notices }: Report): HookAnswer {
  return {
    decision: wrong === '' ? 'go' : 'stop',
    ...(wrong === '' ? {} : { reason: wrong }),
    ...(notices.length === 0 ? {} : { notice: notices.join('\n') }),
  };
}
