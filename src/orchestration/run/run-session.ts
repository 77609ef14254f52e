import { GuardKitError } from '../../guardkit-error.ts';
import { readFeature } from '../../store/ledger/tables/feature-table.ts';
import { lockRun } from '../feature-build/build-locks.ts';
import type { Happening, SessionEvent } from '../session/session-event.ts';
import { type Applied, applyEvent } from '../session-record/apply-event.ts';
import { changeDetails, readKeptSession } from '../session-record/kept-session.ts';
import { openRun } from './open-run.ts';
import { performWork, type Work, workOf } from './perform-work.ts';
import { followTip } from './run-branch.ts';
import { detailsAfter, runDetails, type WorkResult } from './run-details.ts';
import type { RunEvent } from './run-event.ts';
import { composeResult, type RunResult } from './run-result.ts';
import type { RunSettings } from './run-settings.ts';
import { clearWorktrees, tidyUpRun } from './tidy-up-run.ts';

/** Another process may change the session during work; more refusals in a row would be a bug. */
const MAX_REFUSALS = 3;

/** Builds the features of a project one after another, until none can be started or something stops the run. */
export async function runSession(run: RunSettings): Promise<RunResult> {
  const lock = await lockRun(run.home, run.project);
  try {
    return await drive(run);
  } finally {
    lock.release();
  }
}

async function drive(run: RunSettings): Promise<RunResult> {
  const told: RunEvent[] = [];
  const opened = await openRun({ ...run, emit: (event) => void told.push(event) });
  let { applied } = opened;
  const { session } = applied.kept.session;
  const { branch, base } = runDetails(applied.kept);
  run.emit({ type: 'run_began', session, branch, base, resumed: opened.resumed });
  for (const event of told) run.emit(event);
  let followed: string | undefined;
  let refusals = 0;
  for (;;) {
    followed = await follow(run, applied, followed);
    const work = workOf(applied.acts);
    if (!work) break;
    applied = await advance(run, applied, work);
    if (applied.refused === undefined) refusals = 0;
    else if (++refusals > MAX_REFUSALS)
      throw new Error(`the session refuses every event: ${applied.refused}`);
    else applied = continueSession(run, session, (event) => applyHappening(run, session, event));
  }
  await tidyUpRun(run, applied.kept);
  const result = composeResult(run, applied.kept);
  run.emit({ type: 'run_ended', reason: result.reason, why: result.why });
  return result;
}

/** Performs one piece of work and applies its event. */
export async function advance(
  run: RunSettings,
  before: Applied,
  work: Work,
  perform: typeof performWork = performWork,
): Promise<Applied> {
  const id = before.kept.session.session;
  const tell = (event: Happening, performed?: WorkResult) => applyHappening(run, id, event, performed);
  let performed: WorkResult;
  try {
    performed = await perform(run, before.kept, work, tell);
  } catch (error) {
    pauseAfterError(run, id, work, tell, error);
    throw withResumeHint(run, error);
  }
  const { interrupted } = performed;
  if (interrupted === 'elsewhere' || interrupted === 'machine') {
    changeDetails(run.sessionFiles.list, id, (kept) => detailsAfter(runDetails(kept), performed, []));
    return continueSession(run, id, tell);
  }
  leaveWaiting(run, id, work, tell);
  switch (interrupted) {
    case 'until':
      return tell(performed.event ?? { type: 'limit_reached', limit: 'until' }, performed);
    case 'signal':
      return tell(performed.event ?? { type: 'paused' }, performed);
    case undefined:
      if (!performed.event) throw new Error(`${work.type} returned no event`);
      return tell(performed.event, performed);
  }
}

/** Applies an event with the result of the work that led to it. */
export function applyHappening(
  run: RunSettings,
  id: string,
  happening: Happening,
  performed?: WorkResult,
): Applied {
  const { sessionFiles, clock, emit } = run;
  const event = { ...happening, at: new Date(clock()).toISOString() } as SessionEvent;
  const applied = applyEvent(sessionFiles, id, event, {
    details: (before, next) => detailsAfter(runDetails(before), performed ?? {}, next.completed),
  });
  if (applied.moved) {
    const { type: _kind, ...moved } = applied.moved;
    const last = applied.kept.session.failures.at(-1);
    const failure = last ? { attempt: last.attempt, outcome: last.outcome, why: last.why } : null;
    emit({ type: 'run_moved', ...moved, failure });
  }
  if (applied.refused !== undefined) emit({ type: 'run_refused', event: event.type, why: applied.refused });
  if (applied.unwritten !== undefined)
    emit({ type: 'notice', text: `cannot write session-state.json: ${applied.unwritten}` });
  return applied;
}

/** A rate-limit wait belongs to the work and ends with it. */
function leaveWaiting(run: RunSettings, id: string, work: Work, tell: (event: Happening) => Applied): void {
  if (work.type === 'wait_until') return;
  const { phase } = readKeptSession(run.ledger, run.project, id)?.session ?? {};
  if (phase === 'waiting') tell({ type: 'wait_over' });
}

/** An external error pauses the session and does not count as a failed attempt. */
function pauseAfterError(
  run: RunSettings,
  id: string,
  work: Work,
  tell: (event: Happening) => Applied,
  error: unknown,
): void {
  try {
    leaveWaiting(run, id, work, tell);
    tell({ type: 'trouble_met', why: error instanceof Error ? error.message : String(error) });
  } catch {
    // Safe: the session is unchanged, the next run resumes it, and the first error is reported.
  }
}

/** The session changed meanwhile: continue from its current state. */
export function continueSession(
  { ledger, project }: RunSettings,
  id: string,
  tell: (event: Happening) => Applied,
): Applied {
  const kept = readKeptSession(ledger, project, id);
  if (!kept) throw new Error(`session ${id} is gone`);
  const { phase, feature } = kept.session;
  if (phase === 'paused' || phase === 'ended')
    return { kept, moved: undefined, acts: [], refused: undefined, unwritten: undefined };
  const isRemoved = feature !== null && !readFeature(ledger, project, feature);
  return tell(isRemoved ? { type: 'feature_removed', feature } : { type: 'resumed' });
}

/** Moves git's branch to the ledger's tip, also after a crash in between. */
async function follow(run: RunSettings, { kept }: Applied, followed: string | undefined): Promise<string> {
  const { repository, clock, emit } = run;
  const { branch, tip, completed } = runDetails(kept);
  if (tip === followed) return tip;
  const aside = await followTip(repository, branch, tip, clock());
  if (aside !== undefined)
    emit({ type: 'notice', text: `${branch} had other commits; they are kept on ${aside}` });
  await clearWorktrees(run, Object.keys(completed));
  const feature = Object.keys(completed).findLast((id) => completed[id] === tip);
  if (feature !== undefined && followed !== undefined)
    emit({ type: 'run_stacked', feature, commit: tip, branch });
  return tip;
}

/** The session is paused, and nothing is lost. */
function withResumeHint({ resumeCommand = 'guardkit run' }: RunSettings, error: unknown): unknown {
  if (!(error instanceof GuardKitError)) return error;
  const { code, kind, message, cause } = error;
  const hint = `${error.hint} Then run \`${resumeCommand}\` again to continue where it stopped.`;
  return new GuardKitError({ code, kind, message, hint, cause });
}
