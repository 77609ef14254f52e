import type { Criterion } from '../../domain/criteria/criterion.ts';
import type { CoachVerdict, PlayerReport } from '../../domain/entities/agent-answers.ts';
import { type TurnState, turnStateSchema } from '../../domain/entities/turn-state.ts';
import type { GateResult } from '../../domain/entities/verification.ts';
import { cutText } from '../../domain/json/clean-text.ts';
import type { JsonObject } from '../../domain/json/json.ts';
import { withoutRecalled } from '../../domain/precedent-marks.ts';
import type { GuardedOutcome } from '../../enforcement/driven/driven-run.ts';
import type { AgentUsage } from '../drivers/agent-driver.ts';
import type { AppliedVerdict } from './apply-verdict.ts';
import { type CriterionStatuses, statusOf } from './criterion-status.ts';
import type { CriteriaUpdate } from './judge-criteria.ts';
import type { TurnEvidence } from './turn-evidence.ts';
import type { TurnMode } from './turn-lifecycle.ts';
import { criterionDigest, sumUsage, type TurnRecord } from './turn-record.ts';

/** Everything known about a turn so far. */
export interface TurnContext {
  featureId: string;
  taskId: string;
  turn: number;
  mode: TurnMode;
  startedAt: string;
  /** Undefined while the turn is running. */
  completedAt?: string;
  /** Undefined before the Player has run. */
  player?: { report: PlayerReport } | { report?: undefined; noReport: string };
  /** Changed in this turn, by the diff. */
  files?: readonly string[];
  /** The candidate's tree, if it is known although no gate ran. */
  tree?: string;
  evidence?: TurnEvidence;
  honesty?: readonly string[];
  /** The base's. */
  criteria: readonly Pick<Criterion, 'id' | 'text'>[];
  /** Undefined before the turn is judged. */
  judged?: { verdict: CoachVerdict | undefined; applied: AppliedVerdict; update: CriteriaUpdate };
  /** Before this turn; a turn that is not judged leaves them unchanged. */
  statusesBefore?: CriterionStatuses;
  archThreshold?: number;
  /** Of every agent that ran in this turn. */
  usage?: readonly AgentUsage[];
  /** Refusals and restored files in those runs. */
  guarded?: GuardedOutcome;
}

const LONGEST_TEXT = 8000;
const LONGEST_ITEM = 1000;
const MOST_ITEMS = 50;
const MOST_FILES = 2000;

/** The turn as it is stored, with every field that is known so far. */
export function composeTurnState(parts: TurnContext): TurnState {
  const { player, evidence, judged, startedAt, completedAt } = parts;
  const report = player?.report;
  const before = parts.statusesBefore ?? {};
  const statuses =
    judged?.update.statuses ?? Object.fromEntries(parts.criteria.map(({ id }) => [id, statusOf(before, id)]));
  const unmet = unmetGates(evidence);
  // The ledger adds the time of the record.
  const whole: Record<Exclude<keyof TurnState, 'timestamp'>, unknown> = {
    feature_id: parts.featureId,
    task_id: parts.taskId,
    turn_number: parts.turn,
    mode: parts.mode,
    player_summary: text(report?.summary) || playerSummary(parts),
    player_decision: player ? (report?.decision ?? 'failed') : null,
    files_modified: (parts.files ?? []).slice(0, MOST_FILES),
    progress_summary: text(report?.progress) || progressSummary(parts, statuses),
    blockers_found: items([
      ...(report?.blockers ?? []),
      ...(player && !report ? [`The Player gave no report: ${player.noReport}`] : []),
    ]),
    coach_decision: judged?.applied.decision ?? null,
    coach_feedback: judged ? text(judged.applied.feedback) || null : null,
    acceptance_criteria_status: statuses,
    quality_gate_results: recordOf(parts),
    tests_passed: evidence?.testCounts?.passed ?? null,
    tests_failed: evidence?.testCounts?.failed ?? null,
    coverage: evidence?.coverage ?? null,
    arch_score: judged?.verdict?.arch_score ?? null,
    started_at: startedAt,
    completed_at: completedAt ?? null,
    duration_seconds: completedAt === undefined ? null : secondsBetween(startedAt, completedAt),
    lessons_from_turn: lessons(parts, unmet),
    what_to_try_next: text(judged?.verdict?.what_to_try_next ?? '') || nextFocus(parts, unmet, statuses),
  };
  return turnStateSchema.parse(whole);
}

function recordOf({
  tree,
  evidence,
  judged,
  honesty,
  archThreshold,
  criteria,
  usage = [],
  guarded,
}: TurnContext): JsonObject {
  const gates = evidence?.verification.gates ?? [];
  const shown = Object.entries(judged?.update.states ?? {}).flatMap(([id, { evidence: what }]) =>
    what === null ? [] : [[id, what]],
  );
  const record: TurnRecord = {
    tree: evidence?.verification.tree ?? tree ?? null,
    verification: evidence?.verification.id ?? null,
    outcome: evidence?.verification.outcome ?? 'absent',
    gates: Object.fromEntries(gates.map(({ gate, result }) => [gate, result])),
    reasons: Object.fromEntries(
      gates
        .filter(({ result, required }) => result === 'fail' || (required && result === 'absent'))
        .map(({ gate, reason }) => [gate, item(reason)]),
    ),
    criteria_evidence: Object.fromEntries(shown),
    criteria_texts: Object.fromEntries(
      (judged ? criteria : []).map(({ id, text }) => [id, criterionDigest(text)]),
    ),
    regressions: items((judged?.update.regressions ?? []).map(({ id, why }) => `${id}: ${why}`)),
    honesty: items(honesty ?? []),
    overridden_because: items(judged?.applied.overriddenBecause ?? []),
    arch_threshold: archThreshold ?? null,
    ...sumUsage(usage),
    refused: guarded?.refused ?? 0,
    put_back: items(guarded?.restored ?? []),
  };
  return record;
}

function unmetGates(evidence: TurnEvidence | undefined): GateResult[] {
  return (evidence?.verification.gates ?? []).filter(({ required, result }) => required && result !== 'pass');
}

function playerSummary({ player, files = [] }: TurnContext): string {
  if (!player) return '';
  if (!player.report) return text(`The Player gave no report: ${player.noReport}`);
  return files.length === 0 ? 'No file changed.' : `Changed ${files.slice(0, 5).join(', ')}.`;
}

/** `2 of 3 criteria verified; coverage failed`. */
function progressSummary({ player, criteria, evidence }: TurnContext, statuses: CriterionStatuses): string {
  if (!player) return '';
  const verified = criteria.filter(({ id }) => statusOf(statuses, id) === 'verified').length;
  const gates = unmetGates(evidence).map(
    ({ gate, result }) => `${gate} ${result === 'fail' ? 'failed' : 'absent'}`,
  );
  const checked = evidence ? (gates.length > 0 ? gates.join(', ') : 'all gates passed') : 'no gate was run';
  return `${verified} of ${criteria.length} ${criteria.length === 1 ? 'criterion' : 'criteria'} verified; ${checked}`;
}

/** The lessons of Coach and Player; if they give none, regressions, failed gates and false claims. */
function lessons({ player, judged, honesty = [] }: TurnContext, unmet: readonly GateResult[]): string[] {
  const said = [...(judged?.verdict?.lessons ?? []), ...(player?.report?.lessons ?? [])];
  if (items(said).length > 0) return items(said);
  const shown = items([
    ...(judged?.update.regressions ?? []).map(({ id, why }) => `${id} was verified and no longer is: ${why}`),
    ...unmet.map(({ gate, reason }) => `${gate}: ${reason}`),
    ...honesty,
  ]);
  if (shown.length > 0) return shown.slice(0, 5);
  const [because] = judged?.applied.overriddenBecause ?? [];
  const open = judged && judged.applied.decision !== 'approved';
  return items(open ? [because ?? firstLine(judged.applied.feedback)] : []);
}

function firstLine(feedback: string): string {
  return feedback.trim().split('\n', 1)[0] ?? '';
}

function nextFocus(
  { criteria, judged, evidence }: TurnContext,
  unmet: readonly GateResult[],
  statuses: CriterionStatuses,
): string | null {
  if (!judged || judged.applied.decision === 'approved') return null;
  const [gate] = unmet;
  if (gate) return text(`Make the gate ${gate.gate} pass: ${gate.reason}`);
  const open = criteria.find(({ id }) => statusOf(statuses, id) !== 'verified');
  if (open) return text(`Meet ${open.id} (${open.text}) and prove it with a passing test or check.`);
  return evidence ? 'Address the Coach feedback.' : 'Make the gates runnable.';
}

function secondsBetween(from: string, to: string): number {
  return Math.max(0, Math.round((Date.parse(to) - Date.parse(from)) / 1000));
}

function text(value: string | undefined): string {
  return cutText(withoutRecalled(value ?? '').trim(), LONGEST_TEXT);
}

function item(value: string): string {
  return cutText(withoutRecalled(value).trim(), LONGEST_ITEM);
}

function items(values: readonly string[]): string[] {
  return [...new Set(values.map(item).filter((value) => value !== ''))].slice(0, MOST_ITEMS);
}
