import type * as z from 'zod';
import { isDoctorSession } from '../../../domain/doctor-session.ts';
import { clockTime } from '../../../platform/clock.ts';
import type { LedgerEntry } from '../../../store/ledger/chain/ledger-entry.ts';
import type { ActionJudged } from '../../../store/ledger/kinds/guards/action-judged.ts';
import type { Violation } from '../../../store/ledger/kinds/guards/violations.ts';
import type {
  waiverIssuedSchema,
  waiverRefusedSchema,
  waiverRevokedSchema,
  waiverUsedSchema,
} from '../../../store/ledger/kinds/guards/waivers.ts';
import type { Acceptance } from '../../../store/ledger/kinds/protection/acceptance-recorded.ts';
import type {
  DefinitionProposed,
  DefinitionRecorded,
  DefinitionsTrusted,
} from '../../../store/ledger/kinds/protection/definitions.ts';
import type { ChangeNoticed } from '../../../store/ledger/kinds/protection/effective-changes.ts';
import type { FileRestored } from '../../../store/ledger/kinds/protection/file-restored.ts';
import type { ProtectionPaused, ProtectionResumed } from '../../../store/ledger/kinds/protection/pause.ts';
import { plural } from '../output/printable.ts';

/** After an upgrade from a version that did not record who wrote a definition, and in a new project: the same. */
const TRUSTED_BECAUSE: Readonly<Record<DefinitionsTrusted['reason'], string>> = {
  init: 'HEAD at first use',
  upgrade: 'HEAD at first use',
  commit: 'commit',
  'trusted-branch': 'trusted branch',
};

export const LOG_KINDS = ['refusals', 'restores', 'changes', 'waivers', 'acceptances', 'pauses'] as const;

export type LogKind = (typeof LOG_KINDS)[number];

/** One line of the log. */
export interface LogEvent {
  /** The ledger entry. */
  number: number;
  at: string;
  kind: LogKind;
  /** One word: refused, restored, changed, … */
  word: string;
  text: string;
  /** Agent program, kind of subagent, or person. */
  who: string[];
}

type WaiverIssued = z.infer<typeof waiverIssuedSchema>;
type WaiverUsed = z.infer<typeof waiverUsedSchema>;
type WaiverRefused = z.infer<typeof waiverRefusedSchema>;
type WaiverRevoked = z.infer<typeof waiverRevokedSchema>;
type Described = Omit<LogEvent, 'number' | 'at'> | undefined;

/** Sound because the ledger parses every body by the schema of its kind. */
function described<Body>(describe: (body: Body, at: string) => Described) {
  return ({ body, at }: LedgerEntry) => describe(body as Body, at);
}

/** How each kind of entry reads in the log; undefined for an entry that it leaves out. */
const DESCRIBE: Readonly<Record<string, (entry: LedgerEntry) => Described>> = {
  action_judged: described<ActionJudged>(describeJudged),
  violation_recorded: described<Violation>(describeViolation),
  file_restored: described<FileRestored>(({ path, what, during, reason, agent }) => {
    const when =
      reason === 'person' ? '' : ` (while ${agent === 'unknown' ? 'an agent' : agent} ran: ${during})`;
    return {
      kind: 'restores',
      word: 'restored',
      text: `${path}: ${withoutPath(path, what)}${when}`,
      who: [agent],
    };
  }),
  change_noticed: described<ChangeNoticed>(({ path, what, agents_running: running }) => {
    const text = `${withPath(path, what)}${running ? ' (an agent was running)' : ''}`;
    return { kind: 'changes', word: 'changed', text, who: [] };
  }),
  definition_recorded: described<DefinitionRecorded>(({ path, digest, origin }) => {
    // GuardKit's own writes are not shown.
    if (origin !== 'working-files') return undefined;
    const text = `${path}: ${digest === null ? 'removed' : 'edited'} by you`;
    return { kind: 'changes', word: 'definition', text, who: [] };
  }),
  definition_proposed: described<DefinitionProposed>(({ path, digest, origin }) => {
    // A person's own version may be among the others: nothing tells them apart.
    const isAgents = origin === 'edit-tool' || origin === 'guardkit';
    const by = isAgents ? 'by an agent' : 'while an agent worked, perhaps by you';
    const text = `${path}: ${digest === null ? 'removed' : 'changed'} ${by}; pending until you accept it`;
    return { kind: 'changes', word: 'proposed', text, who: [] };
  }),
  definitions_trusted: described<DefinitionsTrusted>(({ commit, reason, by }) => {
    const text = `definitions of commit ${commit.slice(0, 12)} (${TRUSTED_BECAUSE[reason]})`;
    return { kind: 'acceptances', word: 'trusted', text, who: by === null ? [] : [by] };
  }),
  acceptance_recorded: described<Acceptance>(({ path, digest, reason, by }) => {
    const text = `${path}${digest === null ? ' (removed)' : ''} by ${by}${because(reason)}`;
    return { kind: 'acceptances', word: 'accepted', text, who: [by] };
  }),
  waiver_issued: described<WaiverIssued>(({ guard, until, by, reason, uses }, at) => {
    const often = uses === null ? '' : `${plural(uses, 'use')}, `;
    const text = `${guard} by ${by}: ${often}until ${clockTime(until, Date.parse(at))}${because(reason)}`;
    return { kind: 'waivers', word: 'waived', text, who: [by] };
  }),
  waiver_used: described<WaiverUsed>(({ guard, agent, action, waiver_id: id }) => {
    return {
      kind: 'waivers',
      word: 'waiver used',
      text: `${guard} (${id}) by ${agent}: ${action}`,
      who: [agent],
    };
  }),
  waiver_refused: described<WaiverRefused>(({ guard, why }) => {
    return { kind: 'waivers', word: 'no waiver', text: `${guard}: ${why}`, who: [] };
  }),
  waiver_revoked: described<WaiverRevoked>(({ waiver_id: id, by }) => {
    return { kind: 'waivers', word: 'revoked', text: `${id} by ${by}`, who: [by] };
  }),
  protection_paused: described<ProtectionPaused>(({ until, reason, by }, at) => {
    const text = `by ${by} until ${clockTime(until, Date.parse(at))}${because(reason)}`;
    return { kind: 'pauses', word: 'paused', text, who: [by] };
  }),
  protection_resumed: described<ProtectionResumed>(({ by, automatic }) => {
    return {
      kind: 'pauses',
      word: 'resumed',
      text: automatic ? 'time limit reached' : `by ${by}`,
      who: [by],
    };
  }),
};

export const LOGGED_ENTRIES: readonly string[] = Object.keys(DESCRIBE);

export function logEvent(entry: LedgerEntry): LogEvent | undefined {
  const described = DESCRIBE[entry.kind]?.(entry);
  return described && { number: entry.number, at: entry.at, ...described };
}

function describeJudged({
  decision,
  findings,
  summary,
  agent,
  agent_type,
  session,
}: ActionJudged): Described {
  if (decision !== 'deny' || isDoctorSession(session)) return undefined;
  const first = findings.find((one) => one.silent === null && one.decision === 'deny');
  const why = first ? ` (${first.guard}: ${first.reason})` : '';
  return {
    kind: 'refusals',
    word: 'refused',
    text: `${agent}: ${summary}${why}`,
    who: names(agent, agent_type),
  };
}

/** A refused command has no copy, and nothing was restored. */
function describeViolation({
  guard,
  what,
  path,
  agent,
  agent_type,
  session,
  found_hash,
  before_hash,
  restored,
}: Violation): Described {
  if (isDoctorSession(session)) return undefined;
  const who = names(agent, agent_type);
  if (found_hash === null && before_hash === null)
    return { kind: 'refusals', word: 'refused', text: `${agent}: ${path}: ${what} (${guard})`, who };
  return { kind: 'restores', word: restored ? 'restored' : 'not restored', text: withPath(path, what), who };
}

/** Most descriptions name the file already. */
export function withPath(path: string, what: string): string {
  return what.includes(path) ? what : `${path}: ${what}`;
}

/** After a path and a colon, the path is not named again. */
export function withoutPath(path: string, what: string): string {
  return what.startsWith(`${path} `) ? what.slice(path.length + 1) : what;
}

function names(agent: string, type: string | null): string[] {
  return type === null ? [agent] : [agent, type];
}

function because(reason: string | undefined): string {
  return reason ? `: ${reason}` : '';
}
