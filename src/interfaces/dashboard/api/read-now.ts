import * as z from 'zod';
import { describeEvidence, evidenceSchema } from '../../../domain/entities/evidence.ts';
import { runningBuilds } from '../../../orchestration/feature-build/build-locks.ts';
import { BuildRecord } from '../../../orchestration/feature-build/build-record.ts';
import { lastBuilds } from '../../../orchestration/feature-build/last-builds.ts';
import { runDetailsSchema } from '../../../orchestration/run/run-details.ts';
import { openSessions } from '../../../orchestration/session-record/kept-session.ts';
import { turnRecord } from '../../../orchestration/turns/turn-record.ts';
import { Repository } from '../../../platform/git/repository.ts';
import { publicKeyOf } from '../../../platform/signing/dsse.ts';
import { readMachineKey } from '../../../platform/signing/machine-key.ts';
import { readFeatures } from '../../../store/ledger/tables/feature-table.ts';
import { checkAttestation, readAttestations } from '../../../verification/attestation/check-attestation.ts';
import { whatWaits } from './pending-decisions.ts';
import { type OpenedProject, type ReadContext, runJson } from './read-context.ts';
import { type NowAnswer, type Running, statusSchema } from './schemas.ts';

/** Learned guards that a person may promote. */
const guardsSchema = z.object({
  guards: z.array(z.object({ id: z.string(), summary: z.string(), origin: z.string(), mode: z.string() })),
});

/** What runs now, and what waits for a person. */
export async function readNow(context: ReadContext, opened: OpenedProject): Promise<NowAnswer> {
  const { ledger, project, checkout } = opened;
  const status =
    checkout === undefined
      ? null
      : statusSchema.parse(await runJson(context, ['status', '--dry-run'], checkout));
  const guards =
    checkout === undefined
      ? []
      : (guardsSchema.safeParse(await runJson(context, ['guard', 'list'], checkout)).data?.guards ?? []);
  const features = readFeatures(ledger, project);
  const running = readRunning(opened);
  const names = new Set(running.flatMap(({ feature }) => feature ?? []));
  return {
    project,
    at: new Date().toISOString(),
    head: ledger.head(project)?.number ?? 0,
    checkout: checkout ?? null,
    status,
    running,
    waiting: whatWaits({
      status,
      features,
      builds: lastBuilds(ledger, project, names),
      running: names,
      attestation: checkout === undefined ? undefined : await failedAttestation(checkout, opened.dataFolder),
      proposed: guards.filter(({ origin, mode }) => origin === 'learned' && mode !== 'deny'),
    }),
    features: features.length,
  };
}

/** Why no attestation of the current commit is valid; undefined if there is none, or this machine cannot judge it. */
async function failedAttestation(
  checkout: string,
  dataFolder: string,
): Promise<{ commit: string; why: string } | undefined> {
  const repository = await Repository.open(checkout);
  const commit = await repository.commit('HEAD');
  const found = commit === undefined ? [] : await readAttestations(repository, commit);
  if (commit === undefined || found.length === 0) return undefined;
  const key = readMachineKey(dataFolder);
  const keys = key ? [publicKeyOf(key)] : [];
  let why = '';
  for (const one of found) {
    const checked = await checkAttestation(one, { repository, commit, keys, now: Date.now() });
    // Signed by another machine or by CI, whose key is not here.
    if (checked.ok || checked.code === 'untrusted-key') return undefined;
    why = checked.why;
  }
  return { commit, why };
}

const NOTHING = {
  budget_usd: null,
  task: null,
  turn: null,
  max_turns: null,
  step: null,
  step_at: null,
  checks: [],
  gates: {},
};

/** The builds and runs of this machine, each as far as it got. */
function readRunning(opened: OpenedProject): Running[] {
  const { ledger, project, dataFolder } = opened;
  // A run first, then what it builds.
  const builds = runningBuilds(dataFolder, project).sort(
    (one, other) => Number(one.feature !== null) - Number(other.feature !== null),
  );
  return builds.map(({ feature, pid, since }) =>
    feature === null
      ? { kind: 'run', feature: null, pid, since, ...NOTHING, ...runState(opened) }
      : { kind: 'build', feature, pid, since, phase: null, ...buildState(ledger, project, feature) },
  );
}

function runState({ ledger, project }: OpenedProject) {
  const [open] = openSessions(ledger, project).filter(({ agent_session }) => agent_session === null);
  const details = open && runDetailsSchema.safeParse(open.details).data;
  return {
    phase: open?.session.phase ?? null,
    cost_usd: details?.spent_usd ?? null,
    budget_usd: open?.session.limits.budget_usd ?? null,
  };
}

function buildState(ledger: OpenedProject['ledger'], project: string, feature: string) {
  const record = new BuildRecord(ledger, project, feature);
  const build = record.builds.at(-1);
  const steps = record.taskIds
    .flatMap((task) => record.steps(task).map((step) => ({ ...step, task })))
    .filter((step) => step.build === build?.build_id)
    .sort((a, b) => a.at.localeCompare(b.at));
  const last = steps.at(-1);
  if (!build || !last) return { ...NOTHING, max_turns: build?.max_turns ?? null, cost_usd: null };
  const turn = record.turns(last.task).find(({ turn_number }) => turn_number === last.turn);
  return {
    budget_usd: null,
    task: last.task,
    turn: last.turn,
    max_turns: build.max_turns,
    step: last.step,
    step_at: last.at,
    checks: checksSince(ledger, project, feature, last.step === 'began' ? undefined : turn?.started_at),
    gates: turn ? turnRecord(turn).gates : {},
    cost_usd: record.countedCosts,
  };
}

/** Runs of the current turn, the newest first. */
function checksSince(
  ledger: OpenedProject['ledger'],
  project: string,
  feature: string,
  since: string | null | undefined,
): Running['checks'] {
  const checks: Running['checks'] = [];
  if (!since) return checks;
  const all = ledger.lookup(project, { kind: 'evidence_recorded', field: 'feature_id', value: feature });
  for (const { at, body } of all) {
    if (at < since || checks.length >= 20) break;
    const evidence = evidenceSchema.parse(body);
    const { check, exit, timed_out, tree_is } = evidence;
    checks.push({
      check: tree_is === 'candidate' ? check : `${check} (${tree_is})`,
      ok: exit === 0 && !timed_out,
      found: describeEvidence(evidence),
      at,
    });
  }
  return checks;
}
