import { join } from 'node:path';
import { isCodingAgent } from '../../domain/feature-list/list-rights.ts';
import type { StopAction } from '../../guards/action.ts';
import { recordPauseEnd } from '../../store/ledger/pause.ts';
import { pruneKept } from '../../store/ledger/tables/kept-actions.ts';
import { noteLeftovers } from '../actions/agents-at-work.ts';
import { actorOfChange, describeObservation, observeEvent } from '../actions/observe-event.ts';
import { unendedActions, watchTables } from '../actions/open-actions.ts';
import { forgetOldSessions } from '../actions/sessions.ts';
import { listPath } from '../feature-list/list-file.ts';
import { describePending } from '../provenance/pending-definitions.ts';
import { trustBranches } from '../provenance/trusted-commits.ts';
import { refreshShell } from '../shell/refresh-profiles.ts';
import type { HookContext } from './hook-context.ts';
import { GO, type HookAnswer, type HookEvent } from './hook-event.ts';
import { judgeAction, verdictAnswer } from './judge-action.ts';
import { observeChanges } from './observe-changes.ts';
import { recordAction, recordTranscript } from './record-for-learning.ts';
import { actorOf } from './to-action.ts';

type Stopping = Extract<HookEvent, { type: 'stopping' }>;

/** The rules, as context at the start of a session. */
const ABOUT = [
  'GuardKit guards this project.',
  '- In `.claude/progress/feature-list.json`, GuardKit alone sets `tested`, `evidence`, `retries` and `blocked_reason`. When a feature is ready, run `guardkit verify FEATURE`; it runs the gates and sets `tested` if they pass.',
  '- `.guardkit/` and task files belong to the person. You may propose new task and feature files with the edit tool or `guardkit task create`; they take effect when the person accepts them.',
  '- Agent settings, hooks, skills and git hooks are read-only for your commands.',
  '- A refusal names the alternative. Other ways to do the same thing are refused too.',
].join('\n');

export async function sessionBegan(context: HookContext): Promise<HookAnswer> {
  const { watch, list } = context;
  recordPauseEnd(watch.ledger, watch.project, Date.now());
  const observation = observeChanges(watch, { everywhere: true });
  watchTables(watch.ledger).forgetUnused();
  if (context.wrapped) refreshShell(watch, context.shell);
  const { bringFeaturesUpToDate } = await import('../feature-list/adopt-feature-list.ts');
  const { adopted, notices: features } = await bringFeaturesUpToDate(list, actorOfChange(context, null));
  const { notices } = describeObservation(observation, adopted);
  let pending = describePending(watch);
  if (pending.length > 0) {
    trustBranches(watch, context.trust?.branches);
    pending = describePending(watch);
  }
  const shown = [
    ...notices,
    ...[...context.faults, ...features, ...pending].map((line) => `GuardKit: ${line}`),
  ];
  return {
    decision: 'go',
    context: ABOUT,
    watch: [
      listPath(watch.checkout),
      ...['settings.json', 'settings.local.json'].map((name) => join(watch.checkout, '.claude', name)),
    ],
    ...(shown.length === 0 ? {} : { notice: shown.join('\n') }),
  };
}

export function sessionEnded(context: HookContext): HookAnswer {
  pruneOld(context);
  const { watch, source } = context;
  const ended = unendedActions(watch, { session: source.session, whole: true });
  const { notices } = observeEvent(context, null, { ended, leaving: true });
  noteLeftovers(watch, context.session);
  return withNotices(GO, notices);
}

function pruneOld({ watch: { ledger, project }, recording: { actions } }: HookContext): void {
  const tables = watchTables(ledger);
  const now = Date.now();
  tables.exclusively(() => {
    forgetOldSessions(tables, now);
    if (actions) pruneKept(ledger, project, actions, now);
  });
}

/** Records the tree, to find out later whether a coding agent changed any file. */
export async function subagentBegan(context: HookContext): Promise<HookAnswer> {
  if (!isCodingAgent(context.source.actorType)) return GO;
  const { noteTree } = await import('./tree-facts.ts');
  await noteTree(context);
  return GO;
}

/** Blocks the stop once if files were restored, or if the guards refuse it, as for a coding agent that changed nothing. */
export async function stopping(context: HookContext, { of, again, said }: Stopping): Promise<HookAnswer> {
  const { watch, source, list } = context;
  if (of === 'session') recordTranscript(context, 'agent', said);
  const ended = unendedActions(watch, { session: source.session, agentId: source.actorId });
  const { forAgent, notices } = observeEvent(context, null, { ended, leaving: of === 'session' });
  const action: StopAction = {
    kind: 'stop',
    of,
    again,
    actor: actorOf(source),
    tool: 'stop',
    summary: of === 'session' ? 'the session stops' : `${source.actorType ?? 'a subagent'} stops`,
    changed: await changedFiles(context),
  };
  const verdict = await judgeAction(context, action, null);
  recordAction(context, action, null, verdict);
  const answer = verdictAnswer(verdict);
  const { refreshTested } = await import('../feature-list/refresh-tested.ts');
  const { formatRefreshed } = await import('../feature-list/format-reconciliation.ts');
  const refreshed = formatRefreshed(await refreshTested(list, actorOfChange(context, null)));
  notices.push(...refreshed.map((line) => `GuardKit: ${line}`));
  // Once: blocking every attempt would keep the agent from ever stopping.
  if (forAgent !== '' && !again) return withNotices({ decision: 'stop', reason: forAgent }, notices);
  return withNotices(answer.decision === 'stop' && again ? GO : answer, notices);
}

async function changedFiles(context: HookContext): Promise<readonly string[] | undefined> {
  if (!isCodingAgent(context.source.actorType)) return undefined;
  const { changedSince } = await import('./tree-facts.ts');
  return changedSince(context);
}

function withNotices(answer: HookAnswer, notices: readonly string[]): HookAnswer {
  return notices.length === 0 ? answer : { ...answer, notice: notices.join('\n') };
}
