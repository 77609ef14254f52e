import { join } from 'node:path';
import { isCodingAgent } from '../domain/list-rights.ts';
import type { StopAction } from '../guards/action.ts';
import { pruneKept } from '../store/ledger/prune-kept.ts';
import type { AtWork } from './at-work.ts';
import { listPath } from './features/list-file.ts';
import { GO, type HookAnswer, type HookEvent } from './hook-event.ts';
import { judgeAction, verdictAnswer } from './judge-action.ts';
import { keepSaying } from './keep-saying.ts';
import { doerOf, findingsOf, lookAtList } from './look-around.ts';
import { actorOf } from './to-action.ts';
import { settle } from './windows/close-window.ts';
import { lookAround } from './windows/open-window.ts';
import { watchTables } from './windows/watch.ts';

type Stopping = Extract<HookEvent, { type: 'stopping' }>;

/** What an agent should know before it begins: which things only GuardKit says. */
const ABOUT = [
  'GuardKit watches this project.',
  '- Of a feature, in `.claude/progress/feature-list.json` or wherever it is kept, `tested`, `evidence`, `retries` and `blocked_reason` are set by GuardKit alone: when a feature is ready, `guardkit verify FEATURE` runs its gates and sets `tested` if they pass.',
  '- `.guardkit/`, the files of tasks, and the settings and hooks of agents are a person’s. What is changed there is put back and recorded.',
  '- When something is refused, the reason says what to do instead; another way to do the same is refused or put back as well.',
].join('\n');

export async function sessionBegan(work: AtWork): Promise<HookAnswer> {
  const { place, list } = work;
  const looked = lookAround(place);
  const { bringFeaturesUpToDate } = await import('./features/bring-up-to-date.ts');
  const { adopted, told: features } = await bringFeaturesUpToDate(list, doerOf(work, null));
  const { notices } = findingsOf([looked], adopted);
  const told = [...notices, ...[...work.faults, ...features].map((line) => `GuardKit: ${line}`)];
  return {
    decision: 'go',
    context: ABOUT,
    watch: [
      listPath(place.checkout),
      ...['settings.json', 'settings.local.json'].map((name) => join(place.checkout, '.claude', name)),
    ],
    ...(told.length === 0 ? {} : { notice: told.join('\n') }),
  };
}

export function sessionEnded(work: AtWork): HookAnswer {
  pruneOld(work);
  const settled = settle(work.place, { session: work.source.session, whole: true });
  return withNotices(GO, findingsOf([settled], lookAtList(work, null)).notices);
}

function pruneOld({ place: { ledger, project }, keeping }: AtWork): void {
  if (!keeping.actions) return;
  const limits = keeping.actions;
  watchTables(ledger).exclusively(() => pruneKept(ledger, project, limits, Date.now()));
}

/** Of one that is to change files it is noted how they are, to tell afterwards whether it did. */
export async function subagentBegan(work: AtWork): Promise<HookAnswer> {
  if (!isCodingAgent(work.source.actorType)) return GO;
  const { noteTree } = await import('./changed-since.ts');
  await noteTree(work);
  return GO;
}

/** An agent that stops with something put back behind its back is told; one that did nothing is sent back. */
export async function stopping(work: AtWork, { of, again, said: words }: Stopping): Promise<HookAnswer> {
  const { place, source, list } = work;
  if (of === 'session') keepSaying(work, 'agent', words);
  const settled = settle(place, { session: source.session, agentId: source.actorId });
  const { wrong, notices } = findingsOf([settled], lookAtList(work, null));
  const action: StopAction = {
    kind: 'stop',
    of,
    again,
    actor: actorOf(source),
    tool: 'stop',
    summary: of === 'session' ? 'the session stops' : `${source.actorType ?? 'a subagent'} stops`,
    changed: await changedFiles(work),
  };
  const said = verdictAnswer(await judgeAction(work, action, null));
  const { refreshTested } = await import('./features/refresh-tested.ts');
  const { tellRefreshed } = await import('./features/tell-reconciled.ts');
  const refreshed = tellRefreshed(await refreshTested(list, doerOf(work, null)));
  notices.push(...refreshed.map((line) => `GuardKit: ${line}`));
  // Once is enough: an agent that is told the same again and again never ends.
  if (wrong !== '' && !again) return withNotices({ decision: 'stop', reason: wrong }, notices);
  return withNotices(said.decision === 'stop' && again ? GO : said, notices);
}

async function changedFiles(work: AtWork): Promise<readonly string[] | undefined> {
  if (!isCodingAgent(work.source.actorType)) return undefined;
  const { changedSince } = await import('./changed-since.ts');
  return changedSince(work);
}

function withNotices(answer: HookAnswer, notices: readonly string[]): HookAnswer {
  return notices.length === 0 ? answer : { ...answer, notice: notices.join('\n') };
}
