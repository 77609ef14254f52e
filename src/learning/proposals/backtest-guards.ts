import type { GuardDefinition } from '../../config/guard-files/guard-file.ts';
import type { Backtest } from '../../domain/entities/learned-guard.ts';
import { compileGuard } from '../../guards/compile-guard.ts';
import type { Guard, GuardFacts } from '../../guards/guard.ts';
import { actionReviver } from '../../guards/revive-action.ts';
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
  /** Actions that are known to have been wrong, beside what the ledger says. */
  wrong?: readonly { session: string; action: string }[];
}

const MAX_LISTED = 20;
const MAX_SUMMARY = 200;

/** What each of these guards would have said of everything that was recorded. The actions are gone through once. */
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
    mayConcern: mayConcern(definition),
    result: emptyBacktest(now, actions),
  }));
  const revive = actionReviver({ root, home });
  const likely = (kind: string, text: string) => tried.some((one) => one.mayConcern(kind, text));
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
    // What is kept of an edit of the list is only what it would have changed.
    features: () => [],
    // What had been seen at the time is not known any more.
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

/** What became of an action, as far as anybody has said. */
type ActionOutcome = 'violation' | 'approved' | 'unknown';

interface OutcomeFacts {
  /** When the work on each feature was last approved, in milliseconds. */
  approvals: ReadonlyMap<string, number>;
  /** `session` and `action`, joined by a line break, of actions in which something was changed and put back. */
  violating: ReadonlySet<string>;
  /** The same of actions that a pattern's traces tell of. */
  traced: ReadonlySet<string>;
}

function actionKey(session: string, action: string): string {
  return `${session}\n${action}`;
}

/** How a recorded action stands. What the guard itself said of it is no proof that the guard is right. */
function actionOutcome(
  { session, action, at, decision, body }: KeptAction,
  { approvals, violating, traced }: OutcomeFacts,
  guard: string,
): ActionOutcome {
  const key = action === null ? undefined : actionKey(session, action);
  if (key !== undefined && (violating.has(key) || traced.has(key))) return 'violation';
  const others = (body.findings ?? []).filter((finding) => finding.guard !== guard);
  // A person let it pass.
  if ((body.findings ?? []).some(({ silent }) => silent === 'waived')) return 'approved';
  if (others.some((finding) => finding.silent === null && finding.decision !== 'ask')) return 'violation';
  // Refused by this guard alone: nothing was done that could have been approved.
  if (decision === 'deny') return 'unknown';
  const approved = body.feature === undefined ? undefined : approvals.get(body.feature);
  return approved !== undefined && approved > at ? 'approved' : 'unknown';
}

/**
 * Signs that a shell puts a word together out of pieces, or takes it out of something encoded, so that it does not stand
 * there as such. In the text of a JSON object, whose own quotes and brackets none of these is.
 */
const PUT_TOGETHER =
  /[\w}\])](?:\\?["'])*\$[\w{(]|\$\w+(?:(?:\\?["'])+[\w$]|\$)|\$\{[^}]{0,200}\}(?:\\?["'])*[\w$]|\{[^"}$]|\\\\[xu0-7]|\b(?:base64|xxd|eval)\b/;

/** Whether a kept action, by the text it is kept as, may be one that a guard objects to; false only where it is surely none. */
type MayConcern = (kind: string, text: string) => boolean;

/** Taking every action apart costs a hundred times as much as looking for a word in it. */
export function mayConcern(definition: GuardDefinition): MayConcern {
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

/** Of this kind only some actions are judged. */
function narrows(kind: string, { paths, commands, tools, fields }: GuardDefinition): boolean {
  if (kind === 'command') return (commands ?? paths) !== undefined;
  if (kind === 'edit') return (paths ?? fields) !== undefined;
  return (kind === 'read' && paths !== undefined) || (kind === 'tool' && tools !== undefined);
}

function hasAll(text: string, alternatives: readonly (readonly string[])[]): boolean {
  return alternatives.some((words) => words.every((word) => text.includes(word)));
}

/** The longest piece of a glob that has to stand there as it is. */
function literalPart(glob: string): string {
  const pieces = glob.replace(/^\.\//, '').split(/[*?]+/);
  const longest = pieces.reduce((best, piece) => (piece.length > best.length ? piece : best), '');
  return inJson(longest.replace(/^\/+|\/+$/g, ''));
}

function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** A name may be written with quotes in its middle. */
function withoutQuotes(text: string): string {
  return text.includes("'") || text.includes('\\') ? text.replace(/\\[\\"n]|'/g, '') : text;
}
