import { isDefinitionPath } from '../../domain/protection/project-paths.ts';
import type { Action } from '../../guards/action.ts';
import type { Finding, Verdict } from '../../guards/guard.ts';
import { pathContext } from '../../guards/path-context.ts';
import { otherCheckouts } from '../../platform/git/git-folder.ts';
import { cacheRead, findLastCached } from '../../store/ledger/tables/read-cache.ts';
import { answerWithReport, observeEvent, type Report } from '../actions/observe-event.ts';
import { beginAction, endActions, unendedActions, watchTables } from '../actions/open-actions.ts';
import { noteActed } from '../actions/sessions.ts';
import { trustBranches } from '../provenance/trusted-commits.ts';
import { effectiveLocations } from '../shell/read-git-settings.ts';
import { refreshShell } from '../shell/refresh-profiles.ts';
import type { HookContext } from './hook-context.ts';
import type { HookAnswer, HookEvent, ToolRequest } from './hook-event.ts';
import { judgeAction, recordVerdict, verdictAnswer } from './judge-action.ts';
import { recordAction, recordTranscript } from './record-for-learning.ts';
import { toAction } from './to-action.ts';

type Acting = Extract<HookEvent, { type: 'acting' }>;
type Acted = Extract<HookEvent, { type: 'acted' }>;
type BatchEnded = Extract<HookEvent, { type: 'batch-ended' }>;

/** Judges an action before it happens and opens it, unless it is refused. */
export async function actionBegins(context: HookContext, event: Acting): Promise<HookAnswer> {
  const { action: id, tool, request } = event;
  const runs = startsPrograms(request);
  // First: the guards need the current list, and changes up to now are not this action's.
  const report = observeEvent(context, id, { everywhere: runs });
  if (context.session.acted !== true) noteActed(context.watch, context.source);
  const action = toAction(tool, request, context.source, pathsFrom(context));
  const verdict = await judgeAction(context, action, id);
  const isRefused = verdict.decision === 'deny';
  // One transaction: each takes as long as evaluating all guards.
  watchTables(context.watch.ledger).exclusively(() => {
    if (!isRefused) begin(context, id, action, { runs, ends: isWaived(verdict) });
    recordAction(context, action, id, verdict);
  });
  if (runs && context.wrapped && !isRefused) refreshShell(context.watch, context.shell);
  return withReport(verdictAnswer(verdict), report, [
    ...refusalNotice(context, action, verdict),
    ...context.faults.map((fault) => `GuardKit: ${fault}`),
    ...waiverNotices(verdict),
  ]);
}

function begin(
  context: HookContext,
  id: string,
  action: Action,
  { runs, ends }: { runs: boolean; ends: boolean },
): void {
  const { watch, source, session, confined, wrapped } = context;
  const opened = beginAction(watch, {
    session: source.session,
    action: id,
    agent: source.agent,
    agentType: source.actorType,
    agentId: source.actorId,
    agentProcess: session.process ?? undefined,
    runs,
    confined,
    wrapped,
    edits: editedDefinitions(action, watch.checkout),
    summary: action.summary,
  });
  if (ends) endActions(watch, [opened]);
}

function editedDefinitions(action: Action, checkout: string): string[] {
  if (action.kind !== 'edit') return [];
  return action.files.flatMap(({ file }) => {
    const path = file.real.startsWith(`${checkout}/`) ? file.real.slice(checkout.length + 1) : '';
    return isDefinitionPath(path) ? [path] : [];
  });
}

function withReport(answer: HookAnswer, { forAgent, notices }: Report, more: readonly string[]): HookAnswer {
  const context = [answer.context ?? '', forAgent].filter((text) => text !== '').join('\n');
  const notice = [...(answer.notice === undefined ? [] : [answer.notice]), ...notices, ...more].join('\n');
  return {
    ...answer,
    ...(context === '' ? {} : { context }),
    ...(notice === '' ? {} : { notice }),
  };
}

/** Agent programs show a refused edit as a bare error, so the person gets the reason, once per session. */
function refusalNotice(
  { watch, source }: HookContext,
  action: Action,
  { decision, findings }: Verdict,
): string[] {
  const first = findings.find((one) => one.decision === decision && one.silent === undefined);
  if (decision !== 'deny' || !first) return [];
  const line = `GuardKit refused ${action.summary.slice(0, 80)}: ${first.reason}`;
  const key = `refusals shown in ${source.session}`;
  const shown = findLastCached(watch.ledger, key)?.body;
  const known = Array.isArray(shown) ? shown.filter((one) => typeof one === 'string') : [];
  if (known.includes(line)) return [];
  cacheRead(watch.ledger, key, '', [...known, line].slice(-MAX_SHOWN));
  return [line];
}

const MAX_SHOWN = 50;

/** Guards whose rules are also checked after an action. */
const AFTERWARDS: readonly string[] = ['protected-set', 'field-rights'];

/** The result of a waived action counts as the person's: it ends at once. */
function isWaived({ findings }: Verdict): boolean {
  return findings.some(({ silent, guard }) => silent === 'waived' && AFTERWARDS.includes(guard));
}

function waiverNotices({ decision, findings }: Verdict): string[] {
  if (decision === 'deny') return [];
  return findings
    .filter(({ silent }) => silent === 'waived')
    .map(({ guard, waiver, reason }) => `GuardKit: waiver ${waiver} overrode ${guard}: ${reason}`);
}

/** Records an action that the driver refused although the guards allow it. */
export function actionRefused(
  context: HookContext,
  { action: id, tool, request }: Acting,
  reason: string,
): void {
  const { watch, source } = context;
  const action = toAction(tool, request, source, pathsFrom(context));
  const finding: Finding = {
    guard: ROLE_LIMITS,
    decision: 'deny',
    reason,
    guidance: '',
    silent: undefined,
    waiver: undefined,
  };
  const verdict: Verdict = { decision: 'deny', findings: [finding] };
  recordVerdict(context, action, id, verdict);
  recordAction(context, action, id, verdict);
  endActions(watch, unendedActions(watch, { session: source.session, actions: [id] }));
}

/** The limits of an agent's role: not a guard, but recorded like one. */
const ROLE_LIMITS = 'role-limits';

export function actionEnded(context: HookContext, event: Acted): HookAnswer {
  const { action, tookMs, cutShort, failure } = event;
  const { watch, source } = context;
  if (cutShort !== undefined) recordTranscript(context, 'interruption', cutShort);
  const ended = unendedActions(watch, { session: source.session, actions: [action] });
  // Commits that a pull brought from a trusted branch are a person's.
  if (ended.some(({ body }) => body.runs && FETCHES.test(body.summary)))
    trustBranches(watch, context.trust?.branches);
  const answer = answerWithReport(observeEvent(context, action, { ended, tookMs }));
  return explainSandbox(answer, context, failure);
}

const FETCHES = /\b(?:git|gh)\b.*\b(?:pull|fetch|merge|rebase|checkout|sync)\b/s;

/** Also ends actions that were refused, or whose end was never reported. */
export function batchEnded(context: HookContext, { actions }: BatchEnded): HookAnswer {
  const { watch, source } = context;
  const ended = unendedActions(watch, { session: source.session, actions });
  const { forAgent, notices } = observeEvent(context, actions.at(-1) ?? null, { ended });
  return {
    decision: 'go',
    ...(forAgent === '' ? {} : { context: forAgent }),
    ...(notices.length === 0 ? {} : { notice: notices.join('\n') }),
  };
}

function pathsFrom({ watch, source }: HookContext) {
  const { checkout, dataFolder, home, globs, configLocations = [] } = watch;
  const checkouts = otherCheckouts(watch.git);
  const { hooksPaths, gitIncludes } = effectiveLocations(watch);
  return pathContext({
    cwd: source.cwd,
    root: checkout,
    home,
    dataFolder,
    globs,
    checkouts,
    configLocations,
    hooksPaths,
    gitIncludes,
  });
}

function startsPrograms({ kind }: ToolRequest): boolean {
  return kind === 'command' || kind === 'tool';
}

const NO_NEW_PRIVILEGES = /no new privileges|effective uid is not 0|must be setuid root|setuid root/i;

const SUDO_REASON =
  'sudo does not work here: GuardKit runs the agent’s commands in a sandbox that does not allow new privileges. ' +
  'Run the command in your own terminal, or list `sudo` under `shell.outside` in .guardkit/config.yaml and commit it.';

/** Node reports a missing folder if it cannot create one with its parents. */
const READ_ONLY =
  /EROFS: read-only file system|: Read-only file system|\bhusky\b.*\bENOENT: no such file or directory, mkdir/s;

const READ_ONLY_REASON =
  'A file is read-only here: in the sandbox of the agent’s commands, rules, tasks, settings and hooks of agents and git cannot ' +
  'be written. If the command has to write them, it is for the person to run in their own terminal.';

/** `npm install` runs husky, which needs to write git hooks. */
const HUSKY_REASON = 'With HUSKY=0 in its environment, an installation of packages leaves git hooks out.';

function reasonOf(failure: string): string | undefined {
  if (/\bsudo\b/.test(failure) && NO_NEW_PRIVILEGES.test(failure)) return SUDO_REASON;
  if (!READ_ONLY.test(failure)) return undefined;
  return /\bhusky\b/.test(failure) ? `${READ_ONLY_REASON} ${HUSKY_REASON}` : READ_ONLY_REASON;
}

/** Adds the reason when a command failed because of the sandbox. */
function explainSandbox(answer: HookAnswer, { wrapped }: HookContext, failure = ''): HookAnswer {
  const reason = wrapped ? reasonOf(failure) : undefined;
  if (reason === undefined) return answer;
  return {
    ...answer,
    context: [answer.context ?? '', reason].filter((text) => text !== '').join('\n'),
    notice: [answer.notice ?? '', `GuardKit: ${reason}`].filter((text) => text !== '').join('\n'),
  };
}
