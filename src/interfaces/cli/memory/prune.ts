import * as z from 'zod';
import { readProjectConfig } from '../../../config/project/project-config.ts';
import { requireValid } from '../../../config/yaml/yaml-file.ts';
import { GuardKitError } from '../../../guardkit-error.ts';
import type { PruneReport, RetentionLimits } from '../../../orchestration/retention/prune-turns.ts';
import { systemClock } from '../../../platform/clock.ts';
import { plural } from '../output/printable.ts';
import { type CliContext, defineCommand, type Report } from '../program/cli-command.ts';
import { openWork } from '../task/open-work.ts';

export const prune = defineCommand({
  name: 'prune',
  summary: 'Archive old turns beyond the `retention:` limits',
  changes: true,
  schema: z.object({ dryRun: z.boolean().default(false) }),
  run: async (context, { dryRun }) => runPrune(context, dryRun),
});

async function runPrune(context: CliContext, dryRun: boolean): Promise<Report> {
  const { Repository } = await import('../../../platform/git/repository.ts');
  const { pruneTurns } = await import('../../../orchestration/retention/prune-turns.ts');
  const { retentionLimits } = await import('../../../orchestration/retention/prune-turns.ts');
  const { home, root, project } = await context.workspace();
  if (!project.known || root === undefined) throw noProject(project);
  const config = requireValid(await readProjectConfig(root));
  const limits = retentionLimits(config);
  const report = await pruneTurns({
    home,
    project: project.id,
    repository: await Repository.open(root),
    ledger: await context.ledger(),
    store: await context.store(),
    limits,
    work: async () => (await openWork(context)).work,
    clock: systemClock,
    dryRun,
  });
  return describePruning(report, limits, dryRun);
}

function describePruning(
  { total, turns, archives }: PruneReport,
  limits: RetentionLimits,
  dryRun: boolean,
): Report {
  const left = total - turns.length;
  return {
    json: {
      dry_run: dryRun,
      turns: turns.map(({ id, feature, task, number, at }) => ({
        id,
        feature_id: feature,
        task_id: task,
        turn_number: number,
        at,
      })),
      kept: left,
      limits: { turns_per_feature: limits.perFeature, turns_per_project: limits.perProject },
      archives: archives.map(({ feature, file, bundle, refsFile, refs }) => ({
        feature_id: feature,
        file,
        bundle,
        refs_file: refsFile,
        refs: Object.fromEntries(refs.map(({ ref, commit }) => [ref, commit])),
      })),
    },
    text: [
      headline(turns.length, total, limits, dryRun),
      ...turns.map(({ id, at }) => `  ${id}  ${at}`),
      ...(left > limits.perProject
        ? [`${plural(left, 'turn')} kept despite the limit, because work on them is in progress.`]
        : []),
      ...archives.flatMap(({ feature, file, bundle }) => [
        `${feature}: ${file}`,
        ...(bundle ? [`  its commits: git fetch ${bundle} 'refs/guardkit/*:refs/guardkit/*'`] : []),
      ]),
    ].join('\n'),
  };
}

function headline(
  count: number,
  total: number,
  { perFeature, perProject }: RetentionLimits,
  dryRun: boolean,
): string {
  if (count === 0)
    return `nothing to prune: ${plural(total, 'turn')} in memory; the limits are ${perFeature} per feature and ${perProject} per project`;
  return `${dryRun ? 'would move' : 'moved'} ${plural(count, 'turn')} of ${total} into the archive`;
}

function noProject(project: { known: true } | { known: false; why: string; hint: string }): GuardKitError {
  return new GuardKitError({
    code: 'project.unknown',
    kind: 'input',
    message: `Turns belong to a project${project.known ? '' : `; ${project.why}`}.`,
    hint: project.known ? 'Run the command inside the project.' : project.hint,
  });
}
