import * as z from 'zod';
import { DRIVERS } from '../../../config/project/project-config.ts';
import type { BuildEvent } from '../../../orchestration/feature-build/build-event.ts';
import { type BuildResult, buildFeature } from '../../../orchestration/feature-build/build-feature.ts';
import { OutboxRunner } from '../../../store/ledger/outbox/outbox-runner.ts';
import { openStore } from '../../../store/open-store.ts';
import { formatUsd } from '../output/printable.ts';
import { type CliContext, defineCommand, type Report } from '../program/cli-command.ts';
import { endOnSignal } from '../verification/end-on-signal.ts';
import { learnAfter, pruneAfterTurn } from './after-build.ts';
import {
  BUILD_OPTIONS,
  type BuildInput,
  buildInputSchema,
  MAX_TURNS_OPTION,
  maxTurns,
} from './build-input.ts';
import { openBuild } from './open-build.ts';
import { showBuild } from './show-build.ts';

export const featureBuild = defineCommand({
  name: 'feature-build',
  summary: 'Build a feature turn by turn with a Player and a Coach',
  arguments: [['<id>', 'Feature (FEAT-…) or task (TASK-…)']],
  options: [
    ['--task <id>', 'Build only this task of the feature', 'repeatable'],
    MAX_TURNS_OPTION,
    ['--resume', 'Resume the last build of this feature'],
    ['--driver <name>', `Player driver: ${DRIVERS.join(', ')}`],
    ['--coach-driver <name>', 'Coach driver (default: the Player’s)'],
    ['--scenario <file>', 'Scenario file for the script driver'],
    ...BUILD_OPTIONS,
    ['--json-events', 'Print events as JSON lines while running'],
  ],
  schema: buildInputSchema.extend({
    task: z.array(z.string().min(1)).default([]),
    maxTurns,
    resume: z.boolean().default(false),
    jsonEvents: z.boolean().default(false),
  }),
  run: runFeatureBuild,
});

interface FeatureBuildInput extends BuildInput {
  task: string[];
  maxTurns: number;
  resume: boolean;
  jsonEvents: boolean;
}

async function runFeatureBuild(context: CliContext, input: FeatureBuildInput): Promise<Report> {
  const { isTask, ...opened } = await openBuild(context, input);
  const { repository, ledger, store } = opened;
  const ending = endOnSignal();
  const outbox = new OutboxRunner({ ledger, openStore: async () => openStore(store) });
  outbox.start();
  const shown = showBuild(context, repository.root, input);
  const show = (event: BuildEvent) => {
    shown.emit(event);
    if (event.type === 'turn_captured') outbox.notify();
  };
  const retention = pruneAfterTurn(opened, (text) => show({ type: 'notice', text }));
  let result: BuildResult;
  try {
    result = await buildFeature({
      ...opened,
      onlyTasks: [...(isTask ? [input.id] : []), ...input.task],
      maxTurns: input.maxTurns,
      resume: input.resume,
      signal: ending.signal,
      emit: show,
      afterTurn: retention.afterTurn,
    });
  } finally {
    shown.end();
    ending.forget();
    await outbox.stop();
    await retention.close();
  }
  return describeBuild(result, await learnAfter(opened, opened.definition.config.learning));
}

function describeBuild(result: BuildResult, notices: readonly string[]): Report {
  const { feature, outcome, why, next, tasks, worktree, branch, costUsd } = result;
  return {
    json: {
      feature,
      outcome,
      why,
      tasks: tasks.map(({ taskId, outcome: ended, turns }) => ({
        task: taskId,
        outcome: ended,
        turns: turns.map(({ turn, verdict, overriddenBecause }) => ({
          ...turn,
          coach_verdict: verdict ?? null,
          ...(overriddenBecause.length > 0 ? { overridden_because: overriddenBecause } : {}),
        })),
      })),
      worktree,
      branch,
      cost_usd: costUsd,
      next,
    },
    text: [
      `${outcome === 'approved' ? '✓' : '✗'} ${feature}: ${outcome}. ${why}`,
      ...tasks.flatMap(({ taskId, turns }) =>
        turns.map(
          ({ turn }) =>
            `  ${taskId} turn ${turn.turn_number}: player ${turn.player_decision ?? 'none'}, coach ${turn.coach_decision ?? 'none'}; ${turn.progress_summary || 'cut off'}`,
        ),
      ),
      `Branch ${branch} in ${worktree}`,
      ...(costUsd > 0 ? [`Cost: ${formatUsd(costUsd)}`] : []),
      `Next: ${next}`,
    ].join('\n'),
    notices,
    exitCode: outcome === 'approved' ? 0 : 1,
  };
}
