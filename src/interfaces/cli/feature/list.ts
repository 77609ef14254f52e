import * as z from 'zod';
import { readWork } from '../../../config/work/read-work.ts';
import type { Feature } from '../../../domain/entities/feature.ts';
import { openFeatures } from '../../../enforcement/feature-list/open-features.ts';
import { featureJson, stateJson } from '../../../orchestration/session/feature-json.ts';
import { mergeListedFeatures } from '../../../verification/definition/merge-listed-features.ts';
import { oneLine, plural } from '../output/printable.ts';
import { defineCommand } from '../program/cli-command.ts';
import { faultNotice, requireRoot } from '../task/open-work.ts';
import { type BuildState, buildJson, readBuildStates } from './build-states.ts';

export const list = defineCommand({
  name: 'list',
  summary: 'List this project’s features',
  schema: z.object({}),
  async run(context) {
    const root = requireRoot(context);
    const read = await readWork(root);
    const { features: known, notices } = await openFeatures(context, root);
    const work = mergeListedFeatures(read, known.values());
    const features = [...work.features].sort((a, b) => a.priority - b.priority);
    const width = Math.max(0, ...features.map(({ id }) => id.length));
    const builds = await readBuildStates(context);
    const states = new Map(features.map(({ id }) => [id, stateText(known.get(id), builds(id))]));
    const stateWidth = Math.max(0, ...[...states.values()].map(({ length }) => length));
    return {
      json: {
        features: features.map((one) => ({
          ...featureJson(one),
          ...stateJson(known.get(one.id)),
          ...buildJson(builds(one.id)),
        })),
        faults: work.faults.length,
      },
      text: [
        plural(features.length, 'feature'),
        ...features.map(({ id, name, tasks }) => {
          const state = (states.get(id) ?? '').padEnd(stateWidth);
          const row = `  ${id.padEnd(width)}  ${plural(tasks.length, 'task').padEnd(8)}  ${state}  `;
          return row + oneLine(name, context.width - row.length);
        }),
        ...(features.length === 0 ? ['`guardkit feature add "TEXT"` adds the first.'] : []),
      ].join('\n'),
      notices: [...notices, ...faultNotice(work)],
    };
  },
});

/** `completed, tested`; or what its build does or waits for. */
export function stateText(feature: Feature | undefined, { running, last }: BuildState): string {
  const { status, tested } = stateJson(feature);
  if (running) return 'being built';
  if (last && status !== 'completed' && status !== 'blocked')
    return last.outcome === 'approved'
      ? 'approved, not merged'
      : `stopped (${last.outcome.replace('_', ' ')})`;
  return `${status.replace('_', ' ')}, ${tested ? 'tested' : 'not tested'}`;
}
