import { BuildRecord } from '../../../orchestration/feature-build/build-record.ts';
import { readPlayedStep } from '../../../orchestration/feature-build/turn-plan.ts';
import { explainTask } from '../../../orchestration/history/explain-task.ts';
import { explanationJson, turnJson } from '../../../orchestration/history/history-json.ts';
import { readHistory } from '../../../orchestration/history/read-history.ts';
import { taskTimeline } from '../../../orchestration/history/task-timeline.ts';
import { turnSpent } from '../../../orchestration/history/time-and-money.ts';
import { featureJson, stateJson } from '../../../orchestration/session/feature-json.ts';
import { attemptFailures } from '../../../orchestration/session-record/session-features.ts';
import { knownCriterionIds } from '../../../verification/criteria.ts';
import type { FeatureAnswer } from './feature-schema.ts';
import { type OpenedProject, unknown } from './read-context.ts';
import { readDefinitions } from './read-features.ts';

/** A feature with its tasks, their turns and the reasons for them. */
export async function readFeature(opened: OpenedProject, id: string): Promise<FeatureAnswer> {
  const { ledger, project } = opened;
  const { work, recorded } = await readDefinitions(opened);
  const definition = work.features.find((one) => one.id === id || one.tasks.includes(id));
  const state = recorded.get(definition?.id ?? id);
  const record = new BuildRecord(ledger, project, definition?.id ?? id);
  if (!definition && record.builds.length === 0) throw unknown('feature', id);
  const featureId = definition?.id ?? id;
  const built = record.taskIds.filter((task) => record.turns(task).length > 0);
  const defined = definition?.tasks.length ? definition.tasks : [featureId];
  const histories = readHistory(
    ledger,
    project,
    built.map((taskId) => ({ featureId, taskId })),
  );
  const tasks = [...new Set([...defined, ...built])].map((taskId) => {
    const task = work.tasks.find((one) => one.id === taskId);
    const history = histories.find((one) => one.taskId === taskId);
    const written = task?.criteria ?? (taskId === featureId ? (definition?.criteria ?? []) : []);
    const known = knownCriterionIds(ledger, project, taskId);
    return {
      id: taskId,
      title: task?.title ?? definition?.name ?? taskId,
      path: task?.path ?? definition?.path ?? null,
      criteria: [
        ...new Map([
          ...known.map((one) => [one.id, one.text] as const),
          ...written.flatMap((one) => (one.id ? [[one.id, one.text] as const] : [])),
        ]),
      ].map(([criterion, text]) => ({ id: criterion, text })),
      outcome: history?.outcome ?? null,
      turns: history ? taskTimeline(history).map((one) => turn(one, history)) : [],
      explanation: history ? explanationJson(explainTask(history)) : null,
    };
  });
  const listed = definition ?? {
    id: featureId,
    name: featureId,
    description: '',
    priority: 3,
    task_type: 'feature',
    complexity: 5,
    ui: false,
    tasks: built,
    dependencies: [],
    criteria: [],
    path: undefined,
    files: [],
  };
  return {
    ...featureJson(listed),
    ...stateJson(state),
    tasks,
    attempts: state && state.retries > 0 ? attemptFailures(ledger, project, featureId) : [],
    builds: record.builds.map((one) => {
      const end = record.endOf(one.build_id);
      return {
        id: one.build_id,
        branch: one.branch,
        player: one.player_driver,
        coach: one.coach_driver,
        max_turns: one.max_turns,
        outcome: end?.outcome ?? null,
        why: end?.why ?? '',
        cost_usd: end?.cost_usd ?? null,
      };
    }),
  };
}

type Timeline = ReturnType<typeof taskTimeline>[number];

/** The turn with the Player's own words, to be shown beside what GuardKit found. */
function turn(one: Timeline, history: Parameters<typeof turnJson>[1] & Parameters<typeof taskTimeline>[0]) {
  const { quality_gate_results: _, ...rest } = turnJson(one, history);
  const steps = history.steps.filter((step) => step.turn === one.turn.turn_number);
  const played = steps.findLast(({ step }) => step === 'played');
  const report = played ? readPlayedStep(played.data)?.report : undefined;
  return {
    ...rest,
    claimed: report
      ? {
          decision: report.decision,
          summary: report.summary,
          files: report.files_modified,
          tests_passed: report.tests_passed,
          tests_failed: report.tests_failed,
        }
      : null,
    false_claims: one.record.honesty,
    regressions: one.record.regressions,
    evidence: one.record.criteria_evidence,
    verification: one.record.verification,
    refused: one.record.refused,
    restored: one.record.put_back,
    parts: turnSpent(one.turn, history.steps).parts,
    steps: steps.map(({ step, at }) => ({ step, at })),
  };
}
