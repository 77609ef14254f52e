import type { AtWork } from './at-work.ts';
import type { ListDoer } from './features/list-doer.ts';
import { lookAtOtherLists } from './features/look-at-other-lists.ts';
import { type Reconciled, reconcileFeatureList } from './features/reconcile-feature-list.ts';
import { tellAgent as tellAgentOfList, tellPerson as tellPersonOfList } from './features/tell-reconciled.ts';
import type { HookAnswer } from './hook-event.ts';
import { actorOf } from './to-action.ts';
import { lookAround } from './windows/open-window.ts';
import { tellAgent, type WindowResult } from './windows/restored.ts';
import { personsCheckouts } from './windows/watch-areas.ts';

/** What was found changed that must not be, and what was done about it. */
export interface Findings {
  /** For the agent; empty where there is nothing to say. */
  wrong: string;
  /** For the person. */
  notices: string[];
}

export function findingsOf(results: readonly WindowResult[], list: Reconciled): Findings {
  const restored = results.flatMap((result) => result.restored);
  const told = [tellAgent(restored), tellAgentOfList(list) ?? ''];
  return {
    wrong: told.filter((text) => text !== '').join('\n'),
    notices: [
      ...results.flatMap((result) => result.notices),
      ...tellPersonOfList(list).map((line) => `GuardKit: ${line}`),
    ],
  };
}

/** Looks at the list, and at those of other checkouts that a command here can reach. */
export function lookAtList(work: AtWork, action: string | null): Reconciled {
  const doer = doerOf(work, action);
  const own = reconcileFeatureList(work.list, doer);
  if (work.confined) return own;
  const others = lookAtOtherLists(work.list, personsCheckouts(work.place), doer);
  return own.unchanged ? (others[0] ?? own) : own;
}

/** Whose doing a change is that is found now: whoever acts here, or a person while nobody does. */
export function doerOf({ source, quiet }: AtWork, action: string | null): ListDoer {
  return quiet ? { inWindow: false } : { inWindow: true, actor: actorOf(source), action };
}

/** Looks at everything once, outside of an action. */
export function lookNow(work: AtWork): Findings {
  const looked = lookAround(work.place);
  return findingsOf([looked], lookAtList(work, null));
}

/** The answer that tells an agent what it did wrong, and lets it go on where there was nothing. */
export function answerTo({ wrong, notices }: Findings): HookAnswer {
  return {
    decision: wrong === '' ? 'go' : 'stop',
    ...(wrong === '' ? {} : { reason: wrong }),
    ...(notices.length === 0 ? {} : { notice: notices.join('\n') }),
  };
}
