import { isWorkId } from '../../domain/entities/work-id.ts';
import type { RequiredEvidence } from '../../domain/protection/guard-mode.ts';
import type { Action } from '../../guards/action.ts';
import { actionSignature } from '../../guards/action-signature.ts';
import { editedFeature } from '../../guards/changed-features.ts';
import { evaluateGuards, usedWaivers } from '../../guards/evaluate-guards.ts';
import type { Finding, GuardFacts, Verdict } from '../../guards/guard.ts';
import type { ActionJudged } from '../../store/ledger/kinds/guards/action-judged.ts';
import { activeWaivers, useWaivers } from '../../store/ledger/waivers.ts';
import { NO_WORK, type SessionWork } from '../actions/sessions.ts';
import { unaskedServers } from '../agents/agent-hooks.ts';
import { shownFeatures } from '../feature-list/known-list.ts';
import type { HookContext } from './hook-context.ts';
import type { HookAnswer } from './hook-event.ts';

/** Evaluates the guards and records their findings. The caller records the action itself. */
export async function judgeAction(work: HookContext, action: Action, id: string | null): Promise<Verdict> {
  const facts = await gatherFacts(work);
  const first = evaluateGuards(action, work.guards, facts);
  // A concurrent action may have taken the last use of a waiver: then this one is judged without waivers.
  const verdict = takeWaivers(work, action, first)
    ? first
    : evaluateGuards(action, work.guards, { ...facts, waivers: [] });
  if (verdict.findings.length > 0) recordVerdict(work, action, id, verdict);
  return verdict;
}

async function gatherFacts(work: HookContext): Promise<GuardFacts> {
  const { watch, list, source, session } = work;
  const now = Date.now();
  const evidence = await seenEvidence(work);
  return {
    now: new Date(now).toISOString(),
    root: watch.checkout,
    dataFolder: watch.dataFolder,
    driven: session.driven,
    canAsk: source.canAsk,
    wrapped: false,
    waivers: activeWaivers(watch.ledger, watch.project, now),
    unaskedServers: () => unaskedServers(source.agent, watch.checkout),
    features: () => shownFeatures(list),
    evidence: (of) => evidence[of],
  };
}

function takeWaivers(
  { watch: { ledger, project }, source }: HookContext,
  action: Action,
  verdict: Verdict,
): boolean {
  const ids = usedWaivers(verdict);
  if (ids.length === 0) return true;
  const uses = ids.map((waiver_id) => ({
    waiver_id,
    guard: verdict.findings.find(({ waiver }) => waiver === waiver_id)?.guard ?? '',
    session: source.session,
    agent: source.agent,
    agent_type: source.actorType ?? null,
    action: action.summary,
  }));
  return useWaivers(ledger, project, uses, Date.now());
}

export function recordVerdict(work: HookContext, action: Action, id: string | null, verdict: Verdict): void {
  const { ledger, project } = work.watch;
  const body: ActionJudged = {
    session: action.actor.session,
    agent: action.actor.agent,
    agent_type: action.actor.type ?? null,
    action: id,
    tool: action.tool,
    kind: action.kind,
    summary: action.summary,
    attempted: actionSignature(action),
    ...findCurrentWork(work, action),
    decision: verdict.decision,
    findings: verdict.findings.map(({ guard, decision, reason, guidance, silent, waiver }) => ({
      guard,
      decision,
      reason,
      guidance,
      silent: silent ?? null,
      waiver: waiver ?? null,
    })),
  };
  ledger.append(project, 'action_judged', body);
}

export function verdictAnswer({ decision, findings }: Verdict): HookAnswer {
  const spoken = findings.filter(({ silent }) => silent === undefined);
  switch (decision) {
    case 'allow':
      return { decision: 'go' };
    case 'warn':
      return { decision: 'go', context: spoken.map((one) => `GuardKit warns: ${words(one)}`).join('\n') };
    case 'ask':
    case 'deny': {
      const strictest = spoken.filter((one) => one.decision === decision);
      return { decision: decision === 'ask' ? 'ask' : 'stop', reason: strictest.map(words).join('\n') };
    }
  }
}

function words({ guard, reason, guidance }: Finding): string {
  return `${reason} ${guidance} [${guard}]`.replace(/ {2,}/g, ' ');
}

type Seen = Record<RequiredEvidence, 'pass' | 'fail' | 'absent'>;

const NOTHING: Seen = { tests: 'absent', verified: 'absent' };

/** The evidence for the current tree. Read only if a guard asks for it, since it starts git. */
async function seenEvidence(work: HookContext): Promise<Seen> {
  if (!work.asksForEvidence) return NOTHING;
  const { readSeenEvidence } = await import('./tree-facts.ts');
  return readSeenEvidence(work);
}

/** The work that an action is part of: the feature it edits in the list, its session's work, or the only feature in progress. */
function findCurrentWork(
  { list, session }: Pick<HookContext, 'list' | 'session'>,
  action: Action,
): SessionWork {
  const work = session.work ?? NO_WORK;
  const edited = editedFeature(action, () => shownFeatures(list));
  if (edited !== undefined && isWorkId(edited))
    return edited === work.feature ? work : { ...NO_WORK, feature: edited };
  return currentWork({ list, session });
}

/** The session's recorded work, or the only feature in progress. */
export function currentWork({ list, session }: Pick<HookContext, 'list' | 'session'>): SessionWork {
  const work = session.work ?? NO_WORK;
  if (work.feature !== null) return work;
  const open = shownFeatures(list).filter(({ status }) => status === 'in_progress');
  return open.length === 1 ? { ...NO_WORK, feature: open[0]?.id ?? null } : work;
}
