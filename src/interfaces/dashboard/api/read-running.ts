import { describeEvidence, evidenceSchema } from '../../../domain/entities/evidence.ts';
import { runningBuilds } from '../../../orchestration/feature-build/build-locks.ts';
import { BuildRecord } from '../../../orchestration/feature-build/build-record.ts';
import { runDetailsSchema } from '../../../orchestration/run/run-details.ts';
import { openSessions } from '../../../orchestration/session-record/kept-session.ts';
import { turnRecord } from '../../../orchestration/turns/turn-record.ts';
import type { OpenedProject } from './read-context.ts';
import type { Running } from './schemas.ts';

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
export function readRunning(opened: OpenedProject): Running[] {
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
