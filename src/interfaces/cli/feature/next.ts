import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Feature } from '../../../domain/entities/feature.ts';
import { openFeatures } from '../../../enforcement/feature-list/open-features.ts';
import { describeNext, type NextFeature } from '../../../orchestration/session/next-runnable.ts';
import { oneLine, plural } from '../output/printable.ts';
import { type CliContext, defineCommand, type Report } from '../program/cli-command.ts';
import { requireRoot } from '../task/open-work.ts';

export const next = defineCommand({
  name: 'next',
  summary: 'Show the next feature to build; exit 1 if none',
  run: runNext,
});

const SHOWN = 20;

async function runNext(context: CliContext): Promise<Report> {
  const root = requireRoot(context);
  const { features: known, notices } = await openFeatures(context, root);
  const features = hasFiles(root)
    ? await withFiles(context, root, known)
    : [...known.values()].filter(({ defined_in, closed }) => defined_in === null || closed);
  const found = describeNext(features);
  const { next, waiting, done } = found;
  return {
    json: {
      next: next && {
        id: next.id,
        description: next.description,
        priority: next.priority,
        status: next.status,
        retries: next.retries,
        criteria: next.acceptance_criteria,
      },
      waiting,
      done,
    },
    text: describe(found, features.length, context.width),
    notices,
    exitCode: next ? 0 : 1,
  };
}

/** Reads files only if needed, because that is slow. */
function hasFiles(root: string): boolean {
  return ['tasks', join('.guardkit', 'features')].some((folder) => existsSync(join(root, folder)));
}

async function withFiles(
  context: CliContext,
  root: string,
  known: ReadonlyMap<string, Feature>,
): Promise<Feature[]> {
  const { readWork } = await import('../../../config/work/read-work.ts');
  const { featuresOfCheckout } = await import('../../../enforcement/feature-list/with-defined.ts');
  return featuresOfCheckout(context, await readWork(root), [...known.values()]);
}

function describe({ next, waiting, done }: NextFeature<Feature>, count: number, width: number): string {
  const head = next
    ? `${next.id}: ${oneLine(next.name || next.description, width - next.id.length - 2)}`
    : count === 0
      ? 'There are no features. `guardkit feature add "TEXT"` adds the first.'
      : waiting.length === 0
        ? `Nothing left to do: ${plural(done, 'feature is', 'features are')} done.`
        : `No feature is ready: ${plural(waiting.length, 'feature is waiting', 'features are waiting')}.`;
  return [
    head,
    ...waiting
      .slice(0, SHOWN)
      .map(({ feature, why }) => `  ${oneLine(`${feature} waits: ${why}`, width - 2)}`),
    ...(waiting.length > SHOWN ? [`  and ${waiting.length - SHOWN} more; --json lists them all`] : []),
  ].join('\n');
}
