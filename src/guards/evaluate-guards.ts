import type { Action } from './action.ts';
import {
  ALLOWED,
  DECISIONS,
  type Decision,
  type Finding,
  type Guard,
  type GuardFacts,
  type GuardMode,
  type Objection,
  type Verdict,
  type Waiver,
} from './guard.ts';

/** Guard id of the finding for a guard that threw; its action is refused. */
export const GUARD_ERROR = 'guard-error';

/** Judges an action with all guards; the strictest finding decides. Never throws. */
export function evaluateGuards(action: Action, guards: readonly Guard[], facts: GuardFacts): Verdict {
  const findings: Finding[] = [];
  for (const guard of guards) {
    const finding = ask(guard, action, facts);
    if (finding) findings.push(finding);
  }
  if (findings.length === 0) return ALLOWED;
  findings.sort((a, b) => strictness(b) - strictness(a));
  const first = findings[0];
  return { decision: first && !first.silent ? first.decision : 'allow', findings };
}

/** The waivers that an action used; none if it was refused anyway. */
export function usedWaivers({ decision, findings }: Verdict): string[] {
  if (decision === 'deny') return [];
  return [...new Set(findings.flatMap(({ waiver }) => (waiver === undefined ? [] : [waiver])))];
}

function ask(guard: Guard, action: Action, facts: GuardFacts): Finding | undefined {
  try {
    if (!acts(guard, action, facts)) return undefined;
    const objection = guard.judge(action, facts);
    return objection && weigh(guard.id, guard.mode, objection, facts);
  } catch (error) {
    return weigh(GUARD_ERROR, 'enforce', failed(guard, error), facts);
  }
}

function acts(guard: Guard, action: Action, facts: GuardFacts): boolean {
  if (guard.mode === 'off' || !guard.kinds.includes(action.kind)) return false;
  if (guard.drivenOnly && !facts.driven) return false;
  // Negated, so that an invalid time does not disable the guard.
  return guard.expires === undefined || !(Date.parse(guard.expires) <= Date.parse(facts.now));
}

function weigh(guard: string, mode: GuardMode, objection: Objection, facts: GuardFacts): Finding {
  const waiver = covering(guard, facts);
  const decision = settle(mode, objection, facts.canAsk);
  const refused = objection.decision === 'ask' && decision === 'deny';
  return {
    guard,
    decision,
    reason: refused ? `${objection.reason} This session cannot ask a person.` : objection.reason,
    guidance: objection.guidance,
    silent: waiver ? 'waived' : mode === 'shadow' ? 'shadow' : undefined,
    waiver: waiver?.id,
  };
}

function settle(
  mode: GuardMode,
  { decision, unasked = 'deny' }: Objection,
  canAsk: boolean,
): Objection['decision'] {
  if (mode === 'warn') return 'warn';
  return decision === 'ask' && !canAsk ? unasked : decision;
}

function covering(guard: string, { waivers, now }: GuardFacts): Waiver | undefined {
  return waivers.find(
    (waiver) =>
      waiver.guard === guard &&
      (waiver.uses === undefined || waiver.uses > 0) &&
      (waiver.until === undefined || Date.parse(waiver.until) > Date.parse(now)),
  );
}

function failed(guard: Guard, error: unknown): Objection {
  return {
    decision: 'deny',
    reason: `The guard ${guard.id} failed (${describe(error)}), so GuardKit refuses the action.`,
    guidance:
      guard.origin === 'built-in'
        ? 'This is a bug in GuardKit. Ask the person to report it, and to turn the guard off in .guardkit/config.yaml.'
        : 'Ask the person to fix the guard in .guardkit/guards/, or to turn it off in .guardkit/config.yaml.',
  };
}

function describe(error: unknown): string {
  try {
    return error instanceof Error ? error.message.slice(0, 200) : String(error).slice(0, 200);
  } catch {
    // Safe: only the description of the error is lost.
    return 'unknown error';
  }
}

/** Silent findings come last, regardless of their decision. */
function strictness({ decision, silent }: Finding): number {
  return silent ? -1 : DECISIONS.indexOf(decision satisfies Decision);
}
