import { randomBytes } from 'node:crypto';
import { didYouMean, nearestWord } from '../../domain/nearest-word.ts';
import { GuardKitError } from '../../guardkit-error.ts';
import { type SessionLimits, withNamedLimits } from '../session/session.ts';
import { type Applied, applyEvent, startSession } from '../session-record/apply-event.ts';
import { type KeptSession, openSessions } from '../session-record/kept-session.ts';
import { findStanding, findStart } from './find-start.ts';
import { readRunFeatures, tellUncommitted, workAt } from './read-run-features.ts';
import { dropBranch } from './run-branch.ts';
import type { RunSettings } from './run-context.ts';
import { type RunDetails, runBranchOf, runDetails } from './run-details.ts';
import { tidyUpEarlier } from './tidy-up-run.ts';

/** Goes on with the run that is under way, or starts one. */
export async function openRun(run: RunSettings): Promise<{ applied: Applied; resumed: boolean }> {
  const open = openSessions(run.ledger, run.project);
  requireNoOther(open);
  await requireOwnBranch(run);
  const own = open[0];
  return own
    ? { applied: await goOnWith(run, own), resumed: true }
    : { applied: await start(run), resumed: false };
}

async function goOnWith(run: RunSettings, own: KeptSession): Promise<Applied> {
  const { repository, sessionFiles, clock, brief } = run;
  await requireHere(run, own);
  const before = runDetails(own);
  const details = await findStanding(run, before);
  await requireFeatures(run, details, true);
  if (run.briefNamed && brief && brief.text !== before.brief?.text)
    notice(run, `${brief.name} is not read: the run goes on with what it was begun with`);
  const limits = withNamedLimits(own.session.limits, run.limits);
  const told = tellLimits(limits);
  if (told !== '') notice(run, `it ends ${told}`);
  await tellUncommitted(run);
  // Where nothing has come onto it, it would look as if somebody had moved it.
  if (details.tip !== before.tip) await dropBranch(repository, before.branch, before.tip);
  const at = new Date(clock()).toISOString();
  const isNamed = Object.values(run.limits).some((limit) => limit !== null);
  const event = { type: 'resumed' as const, at, ...(isNamed ? { limits } : {}) };
  return applyEvent(sessionFiles, own.session.session, event, {
    details: (kept) => ({ ...runDetails(kept), base: details.base, start: details.start, tip: details.tip }),
  });
}

async function start(run: RunSettings): Promise<Applied> {
  const { sessionFiles, clock, brief } = run;
  await tidyUpEarlier(run);
  const from = await findStart(run);
  const count = await requireFeatures(run, { start: from, own: {} }, brief !== undefined);
  if (run.briefNamed && brief && count > 0)
    notice(run, `${brief.name} is not read: features are made only where there are none`);
  await tellUncommitted(run);
  const now = clock();
  const id = newId(now);
  const details: RunDetails = {
    branch: runBranchOf(id),
    base: run.base.commit,
    start: from,
    tip: from,
    completed: {},
    spent_usd: 0,
    counted: {},
    own: {},
    brief: brief ?? null,
  };
  return startSession(sessionFiles, {
    id,
    at: new Date(now).toISOString(),
    driven_by: 'run',
    limits: run.limits,
    agent_session: null,
    details,
  });
}

function notice({ emit }: RunSettings, text: string): void {
  emit({ type: 'notice', text });
}

/** When a run ends at the latest, in words; empty where nothing limits it. */
function tellLimits({ until, budget_usd, max_features, only }: SessionLimits): string {
  return [
    ...(until === null ? [] : [`at ${until}`]),
    ...(budget_usd === null ? [] : [`when ${budget_usd} USD are spent in all`]),
    ...(max_features === null
      ? []
      : [`after ${max_features} ${max_features === 1 ? 'feature' : 'features'}`]),
    ...(only === null ? [] : [`when these are done: ${only.slice(0, 20).join(', ')}`]),
  ].join(', or ');
}

/** Another clone of the project has none of its commits. */
async function requireHere({ repository }: RunSettings, kept: KeptSession): Promise<void> {
  if ((await repository.commit(runDetails(kept).tip)) !== undefined) return;
  throw new GuardKitError({
    code: 'run.elsewhere',
    kind: 'refused',
    message: `Run ${kept.session.session} of this project was begun in ${kept.checkout}, and its commits are not in this repository.`,
    hint: 'Go on with it there, or give it up with `guardkit session abandon`; then run this again.',
  });
}

/** How many there are. */
async function requireFeatures(
  run: RunSettings,
  from: Pick<RunDetails, 'start' | 'own'>,
  hasBrief: boolean,
): Promise<number> {
  const { features } = readRunFeatures(run, await workAt(run, from));
  const ids = features.map(({ id }) => id);
  requireWork(ids, { only: run.limits.only, hasBrief });
  return ids.length;
}

/** Whose checkout is on a branch of GuardKit's own would see it move under their files. */
async function requireOwnBranch({ repository }: RunSettings): Promise<void> {
  const { stdout } = await repository.attempt(['symbolic-ref', '--quiet', 'HEAD']);
  const branch = stdout.trim().replace(/^refs\/heads\//, '');
  if (!branch.startsWith('guardkit/')) return;
  throw new GuardKitError({
    code: 'run.own-branch',
    kind: 'refused',
    message: `This checkout is on ${branch}, which is GuardKit's own.`,
    hint: 'Go to a branch of yours with `git switch`, and run this there.',
  });
}

/** The day, so that people find it again, and something by chance. */
function newId(now: number): string {
  const day = new Date(now).toISOString().slice(0, 10).replaceAll('-', '');
  return `${day}-${randomBytes(3).toString('hex')}`;
}

/** There is something to do, or something to make it of; and what was asked for by name is there. */
export function requireWork(
  ids: readonly string[],
  { only, hasBrief }: { only: readonly string[] | null; hasBrief: boolean },
): void {
  const known = new Set(ids);
  const unknown = only?.find((id) => !known.has(id));
  if (unknown !== undefined) throw unknownFeature(unknown, ids);
  if (ids.length > 0 || hasBrief) return;
  throw new GuardKitError({
    code: 'run.no-brief',
    kind: 'input',
    message: 'There are no features here, and nothing that says what is to be made.',
    hint: 'Name a file that does with --brief FILE, commit a README.md, or add features with `guardkit feature add`.',
  });
}

/** Two that drive the same features would undo each other's work. */
export function requireNoOther(open: readonly KeptSession[]): void {
  const other = open.find(({ session }) => session.driven_by !== 'run');
  if (other) throw otherSession(other);
}

function unknownFeature(id: string, known: readonly string[]): GuardKitError {
  const meant = nearestWord(id, known);
  return new GuardKitError({
    code: 'run.unknown-feature',
    kind: 'input',
    message: `There is no feature ${id.slice(0, 80)} on the base.${didYouMean(meant)}`,
    hint: '`guardkit feature list` shows them all; one that a file defines has to be committed.',
  });
}

function otherSession({ session, began_at }: KeptSession): GuardKitError {
  return new GuardKitError({
    code: 'run.other-session',
    kind: 'refused',
    message: `An agent drives session ${session.session} of this project since ${began_at}; it is ${session.phase}.`,
    hint: 'Let it come to its end, or give it up with `guardkit session abandon`; then run this again.',
  });
}
