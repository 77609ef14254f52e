import type { GuardDefinition } from '../../config/guard-files/guard-file.ts';
import type { Backtest } from '../../domain/entities/learned-guard.ts';
import { compileGuard } from '../../guards/compile-guard.ts';
import { actionReviver } from '../../guards/from-kept-action.ts';
import type { Guard, GuardFacts } from '../../guards/guard.ts';
import { lastApprovals, violatingActions } from '../../store/ledger/approvals.ts';
import type { Ledger } from '../../store/ledger/ledger.ts';
import { countKeptActions, type KeptAction, keptActions } from '../../store/ledger/tables/kept-actions.ts';

export interface BacktestContext {
  ledger: Ledger;
  project: string;
  /** The checkout, and the person's home folder. */
  root: string;
  home: string;
  /** In milliseconds since 1970. */
  now: number;
  /** Further actions known to be wrong. */
  wrong?: readonly { session: string; action: string }[];
}

const MAX_LISTED = 20;
const MAX_SUMMARY = 200;

/** The verdicts of these guards on every kept action, in one pass. */
export function backtestGuards(
  definitions: readonly GuardDefinition[],
  context: BacktestContext,
): Backtest[] {
  const { ledger, project, root, home, now, wrong = [] } = context;
  const came: OutcomeFacts = {
    approvals: lastApprovals(ledger, project),
    violating: violatingActions(ledger, project),
    traced: new Set(wrong.map(({ session, action }) => actionKey(session, action))),
  };
  const actions = countKeptActions(ledger, project);
  const tried = definitions.map((definition) => ({
    guard: compileGuard(definition),
    mayMatch: mayMatch(definition),
    result: emptyBacktest(now, actions),
  }));
  const revive = actionReviver({ root, home });
  const likely = (kind: string, text: string) => tried.some((one) => one.mayMatch(kind, text));
  for (const kept of keptActions(ledger, project, { likely })) {
    const asked = tried.filter(({ guard }) => concerns(guard, kept));
    const action = asked.length === 0 ? undefined : revive(kept);
    if (!action) continue;
    const facts = factsOf(kept, root, now);
    for (const { guard, result } of asked) {
      if (guard.judge(action, facts) !== undefined) count(result, kept, action.summary, came, guard.id);
    }
  }
  return tried.map(({ result }) => result);
}

function concerns({ kinds, drivenOnly }: Guard, { kind, body }: KeptAction): boolean {
  return kinds.some((one) => one === kind) && (!drivenOnly || body.driven === true);
}

function factsOf({ body }: KeptAction, root: string, now: number): GuardFacts {
  return {
    now: new Date(now).toISOString(),
    root,
    dataFolder: '',
    driven: body.driven ?? false,
    canAsk: body.asks ?? false,
    wrapped: false,
    waivers: [],
    // For an edit of the feature list only its changes are kept.
    features: () => [],
    // The evidence of that time is unknown.
    evidence: () => 'absent',
  };
}

function emptyBacktest(now: number, actions: number): Backtest {
  return {
    at: new Date(now).toISOString(),
    actions,
    fired: 0,
    violations: 0,
    approved: 0,
    unknown: 0,
    false_blocks: [],
  };
}

function count(result: Backtest, kept: KeptAction, summary: string, came: OutcomeFacts, guard: string): void {
  result.fired += 1;
  switch (actionOutcome(kept, came, guard)) {
    case 'violation':
      result.violations += 1;
      break;
    case 'unknown':
      result.unknown += 1;
      break;
    case 'approved':
      result.approved += 1;
      if (result.false_blocks.length < MAX_LISTED)
        result.false_blocks.push({
          at: new Date(kept.at).toISOString(),
          session: kept.session,
          feature: kept.body.feature ?? null,
          summary: summary.slice(0, MAX_SUMMARY).toWellFormed(),
        });
  }
}

/** What became of an action, as far as known. */
type ActionOutcome = 'violation' | 'approved' | 'unknown';

interface OutcomeFacts {
  /** When the work on each feature was last approved, in milliseconds. */
  approvals: ReadonlyMap<string, number>;
  /** `session` and `action`, joined by a line break, of actions with a restored change. */
  violating: ReadonlySet<string>;
  /** The same for actions of a pattern's traces. */
  traced: ReadonlySet<string>;
}

function actionKey(session: string, action: string): string {
  return `${session}\n${action}`;
}

/** The outcome of a kept action. The guard's own finding does not prove that the guard is right. */
function actionOutcome(
  { session, action, at, decision, body }: KeptAction,
  { approvals, violating, traced }: OutcomeFacts,
  guard: string,
): ActionOutcome {
  const key = action === null ? undefined : actionKey(session, action);
  if (key !== undefined && (violating.has(key) || traced.has(key))) return 'violation';
  const others = (body.findings ?? []).filter((finding) => finding.guard !== guard);
  // A person waived it.
  if ((body.findings ?? []).some(({ silent }) => silent === 'waived')) return 'approved';
  if (others.some((finding) => finding.silent === null && finding.decision !== 'ask')) return 'violation';
  // Refused by this guard alone: there was no result to approve.
  if (decision === 'deny') return 'unknown';
  const approved = body.feature === undefined ? undefined : approvals.get(body.feature);
  return approved !== undefined && approved > at ? 'approved' : 'unknown';
}

/**
 * Signs that a shell builds a word from parts or decodes it, so that it does not appear literally. Matched in JSON
 * text, whose own quotes and brackets are not among them.
 */
const PUT_TOGETHER =
  /[\w}\])](?:\\?["'])*\$[\w{(]|\$\w+(?:(?:\\?["'])+[\w$]|\$)|\$\{[^}]{0,200}\}(?:\\?["'])*[\w$]|\{[^"}$]|\\\\[xu0-7]|\b(?:base64|xxd|eval)\b/;

/** Whether a guard may object to a kept action, judged by its stored text; false only if it surely does not. */
type MayMatch = (kind: string, text: string) => boolean;

/** Parsing every action costs a hundred times as much as searching its text. */
export function mayMatch(definition: GuardDefinition): MayMatch {
  const { commands, paths, tools, fields, kinds } = definition;
  const wholeKinds = (kinds ?? []).filter((kind) => !narrows(kind, definition));
  const pathWords = paths?.map((glob) => [literalPart(glob)]) ?? [];
  const commandWords =
    commands?.map(({ program, subcommand, args = [] }) =>
      [program, subcommand ?? '', ...args].map(literalPart),
    ) ?? [];
  const toolWords = tools?.map((glob) => [literalPart(glob)]) ?? [];
  const fieldWords = fields?.map(({ field }) => [inJson(field)]) ?? [];
  return (kind, text) => {
    if (wholeKinds.some((one) => one === kind)) return true;
    if (hasAll(text, pathWords) || (kind === 'tool' && hasAll(text, toolWords))) return true;
    if (kind === 'edit' && hasAll(text, fieldWords)) return true;
    if (kind !== 'command' || commandWords.length === 0) return false;
    return hasAll(text, commandWords) || PUT_TOGETHER.test(text) || hasAll(withoutQuotes(text), commandWords);
  };
}

/** Whether only some actions of this kind are judged. */
function narrows(kind: string, { paths, commands, tools, fields }: GuardDefinition): boolean {
  if (kind === 'command') return (commands ?? paths) !== undefined;
  if (kind === 'edit') return (paths ?? fields) !== undefined;
  return (kind === 'read' && paths !== undefined) || (kind === 'tool' && tools !== undefined);
}

function hasAll(text: string, alternatives: readonly (readonly string[])[]): boolean {
  return alternatives.some((words) => words.every((word) => text.includes(word)));
}

/** The longest literal part of a glob. */
function literalPart(glob: string): string {
  const pieces = glob.replace(/^\.\//, '').split(/[*?]+/);
  const longest = pieces.reduce((best, piece) => (piece.length > best.length ? piece : best), '');
  return inJson(longest.replace(/^\/+|\/+$/g, ''));
}

function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** A name may contain quotes in the middle. */
function withoutQuotes(text: string): string {
  return text.includes("'") || text.includes('\\') ? text.replace(/\\[\\"n]|'/g, '') : text;
}
