import type { BuildResult } from '../../../orchestration/feature-build/build-feature.ts';
import type { Report } from '../program/cli-command.ts';
import { formatUsd } from './amounts.ts';

export function describeBuild(result: BuildResult, notices: readonly string[]): Report {
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
