import * as z from 'zod';
import { DRIVERS } from '../../../config/project/project-config.ts';
import type { BuildEvent } from '../../../orchestration/feature-build/build-event.ts';
import { type BuildResult, buildFeature } from '../../../orchestration/feature-build/build-feature.ts';
import { OutboxRunner } from '../../../store/ledger/outbox/outbox-runner.ts';
import { openStore } from '../../../store/open-store.ts';
import { wholeNumber } from '../input/whole-number.ts';
import { type CliContext, defineCommand, type Report } from '../program/cli-command.ts';
import { endOnSignal } from '../verification/end-on-signal.ts';
import { formatUsd } from './amounts.ts';
import { type BuildInput, buildInputSchema } from './build-input.ts';
import { learnAfter } from './learn-after.ts';
import { openBuild } from './open-build.ts';
import { pruneAfterTurn } from './prune-after-turn.ts';
import { showBuild } from './show-build.ts';

export const featureBuild = defineCommand({
  name: 'feature-build',
  summary: 'Build a feature turn by turn with a Player and a Coach',
  arguments: [['<id>', 'a feature (FEAT-…) or a task (TASK-…)']],
  options: [
    ['--task <id>', 'only this task of the feature', 'repeatable'],
    ['--max-turns <n>', 'turns that a task may take (5)'],
    ['--resume', 'go on with the last build of this feature'],
    ['--driver <name>', `who plays: ${DRIVERS.join(', ')}`],
    ['--coach-driver <name>', 'who judges, if it is somebody else'],
    ['--scenario <file>', 'what the script driver plays'],
    ['--budget-usd <n>', 'stop when this much is spent'],
    ['--timeout <seconds>', 'how long one run of an agent may take (3600)'],
    ['--prompt-tokens <n>', 'about how long a prompt may be (40000)'],
    ['--base <ref>', 'the commit to build on; the last one of this checkout, unless said'],
    ['--accept-red-baseline', 'go on though the base fails, and judge only what changes'],
    ['--require-plan', 'refuse a task without a plan, instead of having one made'],
    ['--yes', 'confirm commands that were detected, for a project that names none'],
    ['--json-events', 'print every event as a line of JSON while it goes on'],
  ],
  schema: buildInputSchema.extend({
    task: z.array(z.string().min(1)).default([]),
    maxTurns: wholeNumber(200, 5),
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
