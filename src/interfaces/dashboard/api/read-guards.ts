import { stringify } from 'yaml';
import * as z from 'zod';
import { isDoctorSession } from '../../../domain/doctor-session.ts';
import { backtestSchema } from '../../../domain/entities/learned-guard.ts';
import { lastApprovals } from '../../../store/ledger/approvals.ts';
import type { LedgerEntry } from '../../../store/ledger/chain/ledger-entry.ts';
import { recentEntries } from '../../../store/ledger/chain/recent-entries.ts';
import type { ActionJudged } from '../../../store/ledger/kinds/guards/action-judged.ts';
import type { Violation } from '../../../store/ledger/kinds/guards/violations.ts';
import {
  GUARD_OUTCOMES,
  type GuardAnswer,
  type GuardEvent,
  type GuardsAnswer,
  guardListSchema,
  guardShowSchema,
  type ListedGuard,
} from './guards-schema.ts';
import { type OpenedProject, type ReadContext, runJson, unknown } from './read-context.ts';

const DAY_MS = 24 * 60 * 60_000;
/** Entries that are counted, and events that are sent. */
const MAX_ENTRIES = 20_000;
const MAX_EVENTS = 2000;

/** What each guard objected to in the last days. */
export async function readGuards(
  context: ReadContext,
  opened: OpenedProject,
  days: number,
): Promise<GuardsAnswer> {
  const { ledger, project, checkout } = opened;
  const listed =
    checkout === undefined
      ? []
      : guardListSchema.parse(await runJson(context, ['guard', 'list'], checkout)).guards;
  const since = new Date(Date.now() - days * DAY_MS).toISOString();
  const events: GuardEvent[] = [];
  let read = 0;
  for (const entry of recentEntries(ledger, project, ['action_judged', 'violation_recorded'], { since })) {
    read += 1;
    if (read > MAX_ENTRIES) break;
    events.push(...eventsOf(entry));
  }
  const approvals = lastApprovals(ledger, project);
  const named = new Set([...listed.map(({ id }) => id), ...events.map(({ guard }) => guard)]);
  return {
    since,
    guards: [...named].map((id) => counted(id, listed, events, approvals)),
    events: events.slice(0, MAX_EVENTS),
    more: read > MAX_ENTRIES || events.length > MAX_EVENTS,
  };
}

/** A guard with its source and its backtest. */
export async function readGuard(
  context: ReadContext,
  { checkout }: OpenedProject,
  id: string,
): Promise<GuardAnswer> {
  if (checkout === undefined) throw unknown('guard', id);
  // Not an option, whatever it is.
  const { definition, ...shown } = guardShowSchema.parse(
    await runJson(context, ['guard', 'show', '--', id], checkout),
  );
  const source = definition === null ? null : stringify(definition);
  const { backtest = null } =
    shown.backtest === null && definition !== null
      ? z
          .object({ backtest: backtestSchema.optional() })
          .parse(await runJson(context, ['guard', 'backtest', '--', id], checkout))
      : shown;
  return { ...shown, backtest, source };
}

/** Sound casts because the ledger parses every body by the schema of its kind. */
function eventsOf({ kind, number, at, body }: LedgerEntry): GuardEvent[] {
  const { session, agent, agent_type, feature } = body as unknown as Violation | ActionJudged;
  if (isDoctorSession(session)) return [];
  const event = { number, at, agent: agent_type === null ? agent : `${agent} ${agent_type}`, feature };
  if (kind === 'violation_recorded') {
    const { guard, what, path, restored } = body as unknown as Violation;
    return [{ ...event, guard, outcome: restored ? 'restored' : 'found', text: path, reason: what }];
  }
  const { findings, summary } = body as unknown as ActionJudged;
  return findings.map(({ guard, decision, reason, silent }) => ({
    ...event,
    guard,
    outcome: silent === null ? OUTCOMES[decision] : silent === 'shadow' ? 'watched' : 'waived',
    text: summary,
    reason,
  }));
}

const OUTCOMES = { warn: 'warned', ask: 'asked', deny: 'refused' } as const;

function counted(
  id: string,
  listed: readonly ListedGuard[],
  events: readonly GuardEvent[],
  approvals: ReadonlyMap<string, number>,
): GuardsAnswer['guards'][number] {
  const own = events.filter(({ guard }) => guard === id);
  const count = (outcome: (typeof GUARD_OUTCOMES)[number]) =>
    own.filter((event) => event.outcome === outcome).length;
  const counts = Object.fromEntries(GUARD_OUTCOMES.map((outcome) => [outcome, count(outcome)])) as Record<
    (typeof GUARD_OUTCOMES)[number],
    number
  >;
  const approvedLater = ({ outcome, feature, at }: GuardEvent) =>
    outcome === 'warned' && feature !== null && (approvals.get(feature) ?? 0) > Date.parse(at);
  const wrong = counts.waived + own.filter(approvedLater).length;
  const objections = counts.refused + counts.asked + counts.warned + counts.waived;
  const { summary, origin, mode, kinds, file, pattern } = listed.find((one) => one.id === id) ?? GONE;
  return {
    id,
    summary,
    origin,
    mode,
    kinds,
    file,
    pattern,
    counts,
    wrong,
    false_block_rate: objections === 0 ? null : wrong / objections,
    last_at: own[0]?.at ?? null,
  };
}

/** A guard that only its events name. */
const GONE: Omit<ListedGuard, 'id'> = {
  summary: '',
  origin: 'removed',
  mode: 'off',
  kinds: [],
  file: null,
  pattern: null,
};
