import { randomBytes } from 'node:crypto';
import { didYouMean, nearestWord } from '../../domain/nearest-word.ts';
import { GuardKitError } from '../../guardkit-error.ts';
import { type SessionLimits, withNamedLimits } from '../session/session.ts';
import { type Applied, applyEvent, startSession } from '../session-record/apply-event.ts';
import { type KeptSession, openSessions } from '../session-record/kept-session.ts';
import { findResumePoint, findStart } from './find-start.ts';
import { readRunFeatures, reportUncommitted, workAt } from './read-run-features.ts';
import { dropBranch } from './run-branch.ts';
import { type RunDetails, runBranchOf, runDetails } from './run-details.ts';
import type { RunSettings } from './run-settings.ts';
import { tidyUpEarlier } from './tidy-up-run.ts';

/** Resumes the open run, or starts one. */
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
  const details = await findResumePoint(run, before);
  await requireFeatures(run, details, true);
  if (run.briefNamed && brief && brief.text !== before.brief?.text)
    notice(run, `${brief.name} is not read: the run keeps the brief it started with`);
  const limits = withNamedLimits(own.session.limits, run.limits);
  const told = describeLimits(limits);
  if (told !== '') notice(run, `the run ends ${told}`);
  await reportUncommitted(run);
  // Otherwise a branch without commits would look as if somebody had moved it.
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
    notice(run, `${brief.name} is not read: the project already has features`);
  await reportUncommitted(run);
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

/** The run's limits in words; empty if it has none. */
function describeLimits({ until, budget_usd, max_features, only }: SessionLimits): string {
  return [
    ...(until === null ? [] : [`at ${until}`]),
    ...(budget_usd === null ? [] : [`when a total of ${budget_usd} USD has been spent`]),
    ...(max_features === null
      ? []
      : [`after ${max_features} ${max_features === 1 ? 'feature' : 'features'}`]),
    ...(only === null ? [] : [`when these are done: ${only.slice(0, 20).join(', ')}`]),
  ].join(', or ');
}

/** Another clone of the project does not have the run's commits. */
async function requireHere({ repository }: RunSettings, kept: KeptSession): Promise<void> {
  if ((await repository.commit(runDetails(kept).tip)) !== undefined) return;
  throw new GuardKitError({
    code: 'run.elsewhere',
    kind: 'refused',
    message: `Run ${kept.session.session} was started in ${kept.checkout}, and its commits are not in this repository.`,
    hint: 'Continue it there, or abandon it with `guardkit session abandon`; then run this again.',
  });
}

/** Returns the number of features. */
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

/** A run would move GuardKit's branch under the files of this checkout. */
async function requireOwnBranch({ repository }: RunSettings): Promise<void> {
  const { stdout } = await repository.attempt(['symbolic-ref', '--quiet', 'HEAD']);
  const branch = stdout.trim().replace(/^refs\/heads\//, '');
  if (!branch.startsWith('guardkit/')) return;
  throw new GuardKitError({
    code: 'run.own-branch',
    kind: 'refused',
    message: `This checkout is on ${branch}, which is GuardKit’s own.`,
    hint: 'Switch to your own branch with `git switch`, then run this again.',
  });
}

/** The date plus a random suffix. */
function newId(now: number): string {
  const day = new Date(now).toISOString().slice(0, 10).replaceAll('-', '');
  return `${day}-${randomBytes(3).toString('hex')}`;
}

/** Requires features or a brief, and that every requested feature exists. */
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
    message: 'No features and no brief.',
    hint: 'Specify a brief with --brief FILE, commit a README.md, or add features with `guardkit feature add`.',
  });
}

/** Two sessions on the same features would undo each other's work. */
export function requireNoOther(open: readonly KeptSession[]): void {
  const other = open.find(({ session }) => session.driven_by !== 'run');
  if (other) throw otherSession(other);
}

function unknownFeature(id: string, known: readonly string[]): GuardKitError {
  const meant = nearestWord(id, known);
  return new GuardKitError({
    code: 'run.unknown-feature',
    kind: 'input',
    message: `No feature ${id.slice(0, 80)} on the base.${didYouMean(meant)}`,
    hint: '`guardkit feature list` shows all features; commit the files that define them.',
  });
}

function otherSession({ session, began_at }: KeptSession): GuardKitError {
  return new GuardKitError({
    code: 'run.other-session',
    kind: 'refused',
    message: `An agent has been driving session ${session.session} of this project since ${began_at} (${session.phase}).`,
    hint: 'Let it finish, or abandon it with `guardkit session abandon`; then run this again.',
  });
}
