import type { TimeSpan } from '../effective/change-time.ts';
import { watchRebases } from '../effective/rebase-todo.ts';
import type { RestoredFile } from '../effective/restore-file.ts';
import type { ChangeActor } from '../feature-list/change-actor.ts';
import { checkOtherLists } from '../feature-list/check-other-lists.ts';
import { listNoticeForAgent, listNoticesForPerson } from '../feature-list/format-reconciliation.ts';
import {
  isListUnchanged,
  type Reconciled,
  reconcileFeatureList,
  UNCHANGED,
} from '../feature-list/reconcile-feature-list.ts';
import type { HookContext } from '../hooks/hook-context.ts';
import type { HookAnswer } from '../hooks/hook-event.ts';
import { type Observation, observeChanges } from '../hooks/observe-changes.ts';
import { actorOf } from '../hooks/to-action.ts';
import { personsCheckouts } from '../watch/watch-areas.ts';
import { agentsAtWork, leftInWrapper, noteLeftInWrapper } from './agents-at-work.ts';
import { type AgentAction, endActions, openActions, watchTables } from './open-actions.ts';

/** Messages about an observation. */
export interface Report {
  /** Empty if nothing was restored. */
  forAgent: string;
  /** For the person. */
  notices: string[];
}

export interface ObserveEventOptions {
  /** Actions that end with this event. */
  ended?: readonly AgentAction[];
  /** How long the action ran, without the time at the permission prompt. */
  tookMs?: number | undefined;
  everywhere?: boolean;
  /** The agent stops, and the person may continue with its files. */
  leaving?: boolean;
}

/** Observes all watched files and the feature list, and ends the actions that are over. */
export function observeEvent(
  context: HookContext,
  action: string | null,
  options: ObserveEventOptions = {},
): Report {
  const { ended = [], tookMs, everywhere = ended.some(({ body }) => body.runs) } = options;
  const { watch, reportedAt } = context;
  const endings = ended.map((one) => ({ action: one, span: spanOf(one, reportedAt, tookMs) }));
  // In a sandbox these files are read-only.
  const thorough = options.leaving === true && !context.confined && !context.wrapped;
  const observation = observeChanges(watch, { ended: endings, everywhere, thorough });
  const leaving = options.leaving ? context.source : undefined;
  observation.restored.push(...watchRebases(watch, { ended: endings, leaving }));
  const list = observeList(context, action, options);
  endActions(watch, ended);
  if (context.wrapped && ended.some(({ body }) => body.runs)) noteLeftInWrapper(watch);
  return describeObservation(observation, list);
}

/** Time between the end of an action and the start of the hook that reports it. */
const SLACK_MS = 5000;

function spanOf({ opened_at }: AgentAction, reportedAt: number, tookMs: number | undefined): TimeSpan {
  const begin = tookMs === undefined ? opened_at : Math.max(opened_at, reportedAt - tookMs - SLACK_MS);
  return { begin, end: undefined };
}

/** Reconciles the feature list, and checks those of other checkouts that a command can reach. */
function observeList(
  context: HookContext,
  action: string | null,
  { ended = [], leaving = false }: ObserveEventOptions,
): Reconciled {
  const checkouts = context.confined ? [] : personsCheckouts(context.watch);
  // Only a program can change it without a new stamp.
  const ran = ended.some(({ body }) => body.runs) || leftInWrapper(context.watch) !== undefined;
  const by = leaving || ran ? 'content' : 'stamp';
  const isUnchanged = isListUnchanged(context.list, by);
  if (checkouts.length === 0 && isUnchanged) return UNCHANGED;
  const actor = actorOfChange(context, action, { ended, isUnchanged });
  const own = isUnchanged ? UNCHANGED : reconcileFeatureList(context.list, actor);
  const others = checkOtherLists(context.list, checkouts, actor);
  return own.unchanged ? (others[0] ?? own) : own;
}

/** Who changed the list: the acting agent, a person if no agent is at work, or unknown. */
export function actorOfChange(
  { source, list, watch, confined }: HookContext,
  action: string | null,
  { ended = [], isUnchanged }: { ended?: readonly AgentAction[]; isUnchanged?: boolean } = {},
): ChangeActor {
  const agent = { inWindow: true, actor: actorOf(source), action } as const;
  if (ended.length > 0) return agent;
  if (isUnchanged ?? isListUnchanged(list, 'content')) return { inWindow: false };
  const open = openActions(watchTables(watch.ledger)).some(({ checkout }) => checkout === watch.checkout);
  if (open) return agent;
  return !confined && agentsAtWork(watch) ? { ...agent, unknown: true } : { inWindow: false };
}

const MAX_SHOWN = 10;

export function describeObservation({ restored, noticed, notices }: Observation, list: Reconciled): Report {
  const texts = [restoredForAgent(restored), listNoticeForAgent(list) ?? ''];
  return {
    forAgent: texts.filter((text) => text !== '').join('\n'),
    notices: [
      ...restored.slice(0, MAX_SHOWN).map(restoredForPerson),
      ...noticed
        .slice(0, MAX_SHOWN)
        .map((line) => `GuardKit: ${line}. The change was kept; \`guardkit status\` lists it.`),
      ...notices,
      ...listNoticesForPerson(list).map((line) => `GuardKit: ${line}`),
    ],
  };
}

function restoredForAgent(restored: readonly RestoredFile[]): string {
  if (restored.length === 0) return '';
  const paths = restored.slice(0, MAX_SHOWN).map(({ path, what }) => `${path} ${what}`);
  const more = restored.length > MAX_SHOWN ? `, and ${restored.length - MAX_SHOWN} more` : '';
  return `GuardKit undid changes of protected files: ${paths.join('; ')}${more}. Agents may not change them; ask the person if a change is needed.`;
}

function restoredForPerson({ path, what, isNew, failure }: RestoredFile): string {
  const [did, undo] = isNew ? ['removed', 'remove'] : ['restored', 'restore'];
  const end = failure === undefined ? `GuardKit ${did} it` : `GuardKit could not ${undo} it: ${failure}`;
  return `GuardKit: ${path} ${what} during the agent’s action. ${end}. If that was you: \`guardkit restore ${path}\`.`;
}

/** Stops the agent if something was restored. */
export function answerWithReport({ forAgent, notices }: Report): HookAnswer {
  return {
    decision: forAgent === '' ? 'go' : 'stop',
    ...(forAgent === '' ? {} : { reason: forAgent }),
    ...(notices.length === 0 ? {} : { notice: notices.join('\n') }),
  };
}
