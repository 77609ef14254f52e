import { pathPlace } from '../guards/path-place.ts';
import type { Finding, Verdict } from '../guards/verdict.ts';
import { otherCheckouts } from '../platform/git-folder.ts';
import type { ActionJudged } from '../store/ledger/kinds/action-judged.ts';
import { type AtWork, isQuiet } from './at-work.ts';
import type { HookAnswer, HookEvent, ToolRequest } from './hook-event.ts';
import { judgeAction, recordVerdict, verdictAnswer } from './judge-action.ts';
import { keepJudged } from './keep-judged.ts';
import { keepSaying } from './keep-saying.ts';
import { answerTo, findingsOf, lookAtList } from './look-around.ts';
import { toAction } from './to-action.ts';
import { closeLost, closeWindow, hasWindow, settle } from './windows/close-window.ts';
import { openWindow } from './windows/open-window.ts';
import { schedulesWork } from './windows/schedules-work.ts';

type Acting = Extract<HookEvent, { type: 'acting' }>;
type Acted = Extract<HookEvent, { type: 'acted' }>;
type BatchEnded = Extract<HookEvent, { type: 'batch-ended' }>;

/** Opens the window of an action and judges it. One that is refused is over at once. */
export async function actionBegins(work: AtWork, event: Acting): Promise<HookAnswer> {
  const { place, source, session } = work;
  const { action: id, tool, request } = event;
  // Before the action is made out: an edit is judged by what the list is, not by what it was until now.
  const list = lookAtList(work, id);
  const action = toAction(tool, request, source, pathsFrom(work));
  const opened = openWindow(place, {
    session: source.session,
    action: id,
    agent: source.agent,
    agentType: source.actorType,
    agentId: source.actorId,
    agentProcess: session.process ?? undefined,
    runs: startsPrograms(request),
    schedules: action.kind === 'command' && schedulesWork(action.analysis),
    confined: work.confined,
    summary: action.summary,
  });
  const found = findingsOf([opened], list);
  const verdict = await judgeAction(work, action, id);
  // What a person let pass is the person's doing, and so is all that comes of it: there is nothing to look for afterwards.
  if (verdict.decision === 'deny' || isWaived(verdict, PUT_BACK))
    closeWindow(place, { session: source.session, action: id, ran: false });
  const said = verdictAnswer(verdict);
  const context = [said.context ?? '', found.wrong].filter((text) => text !== '').join('\n');
  const notices = [...found.notices, ...work.faults.map((fault) => `GuardKit: ${fault}`), ...waived(verdict)];
  return {
    ...said,
    ...(context === '' ? {} : { context }),
    ...(notices.length === 0 ? {} : { notice: notices.join('\n') }),
  };
}

/** The guards that also look at what came of an action. */
const PUT_BACK: readonly string[] = ['protected-set', 'field-rights'];

function isWaived({ findings }: Verdict, guards: readonly string[]): boolean {
  return findings.some(({ silent, guard }) => silent === 'waived' && guards.includes(guard));
}

/** A waiver that is used is shown. */
function waived({ decision, findings }: Verdict): string[] {
  if (decision === 'deny') return [];
  return findings
    .filter(({ silent }) => silent === 'waived')
    .map(
      ({ guard, waiver, reason }) =>
        `GuardKit: ${guard} was passed by waiver ${waiver}. It had said: ${reason}`,
    );
}

/** Whoever drives the agent does not let it, though no guard objects: the action is over before it began. */
export function actionRefused(work: AtWork, { action: id, tool, request }: Acting, reason: string): void {
  const { place, source } = work;
  const action = toAction(tool, request, source, pathsFrom(work));
  const finding: Finding = {
    guard: ROLE_LIMITS,
    decision: 'deny',
    reason,
    guidance: '',
    silent: undefined,
    waiver: undefined,
  };
  const verdict: Verdict = { decision: 'deny', findings: [finding] };
  recordVerdict(work, action, id, verdict);
  keepJudged(work, action, id, verdict);
  closeWindow(place, { session: source.session, action: id, ran: false });
}

/** What an agent may use at all in its role, and where: no guard, but judged like one. */
const ROLE_LIMITS = 'role-limits';

export function actionEnded(work: AtWork, event: Acted): HookAnswer {
  const { action, tookMs } = event;
  const { place, source, confined, toldAt } = work;
  if (event.cutShort !== undefined) keepSaying(work, 'interruption', event.cutShort);
  if (!hasWindow(place, { session: source.session, action })) return lostActionEnded(work, event);
  const took = tookMs === undefined ? undefined : { ms: tookMs, toldAt };
  const closed = closeWindow(place, { session: source.session, action, orphans: !confined, took });
  return answerTo(findingsOf([closed], lookAtList(work, action)));
}

/** Its window was closed when a person let it pass; otherwise somebody took the window away, and it is looked at as if it were there. */
function lostActionEnded(work: AtWork, { action }: Acted): HookAnswer {
  const { place, source, session, confined } = work;
  if (wasLetPass(work, action))
    return answerTo(findingsOf([], lookAtList({ ...work, quiet: isQuiet(place) }, action)));
  const closed = closeLost(place, {
    session: source.session,
    action,
    agent: source.agent,
    agentType: source.actorType,
    agentId: source.actorId,
    agentProcess: session.process ?? undefined,
    runs: true,
    confined,
    summary: 'an action whose window was gone',
  });
  return answerTo(findingsOf([closed], lookAtList(work, action)));
}

const LOOKED_BACK = 200;

/** By the chain, in which a waiver and its use are. */
function wasLetPass({ place: { ledger, project }, source }: AtWork, action: string): boolean {
  const afterNumber = Math.max(0, (ledger.head(project)?.number ?? 0) - LOOKED_BACK);
  return ledger
    .entries(project, { kind: 'action_judged', afterNumber })
    .map(({ body }) => body as unknown as ActionJudged)
    .some(
      (judged) =>
        judged.session === source.session &&
        judged.action === action &&
        judged.findings.some(({ silent, guard }) => silent === 'waived' && PUT_BACK.includes(guard)),
    );
}

/** Also the end of actions that were refused, and of those whose own end nobody told. */
export function batchEnded(work: AtWork, { actions }: BatchEnded): HookAnswer {
  const { place, source } = work;
  const settled = settle(place, { session: source.session, actions });
  const { wrong, notices } = findingsOf([settled], lookAtList(work, actions.at(-1) ?? null));
  return {
    decision: 'go',
    ...(wrong === '' ? {} : { context: wrong }),
    ...(notices.length === 0 ? {} : { notice: notices.join('\n') }),
  };
}

function pathsFrom({ place, source }: AtWork) {
  const { checkout, dataFolder, home, globs, orderFolders = [] } = place;
  const checkouts = otherCheckouts(place.git);
  return pathPlace({ cwd: source.cwd, root: checkout, home, dataFolder, globs, checkouts, orderFolders });
}

/** What the agent's own program does, such as writing a file, ends with it. */
function startsPrograms({ kind }: ToolRequest): boolean {
  return kind === 'command' || kind === 'tool';
}
