import * as z from 'zod';
import { resolveGroups, visibleGroups } from '../../../config/project/workspace.ts';
import { GROUPS } from '../../../domain/entities/group.ts';
import { trace } from '../../../domain/entities/trace.ts';
import { oneLine } from '../../../domain/json/clean-text.ts';
import { recalledMark } from '../../../domain/precedent-marks.ts';
import type { EpisodeStore, SearchHit } from '../../../store/episode-store.ts';
import { defineTool } from '../mcp-tool.ts';

const NAMES = [...new Set(GROUPS.map(({ name }) => name))];
const MAX_TEXT = 220;

export const searchMemoryTool = defineTool({
  name: 'search_memory',
  description: 'Search this project’s memory (turns, outcomes, traces, rules) by text or id.',
  readOnly: true,
  input: z.strictObject({
    query: z.string().min(1).max(1000),
    group: z.enum(NAMES).optional().describe('Only this group.'),
    limit: z.int().min(1).max(30).default(8),
  }),
  async run(context, { query, group, limit }) {
    const workspace = await context.workspace();
    const groups = group === undefined ? visibleGroups(workspace) : resolveGroups(workspace, group);
    const store = await context.store();
    const hits = await store.search(query, { groups, limit, exactIds: true });
    if (hits.length === 0) return { text: 'Nothing found in memory.' };
    const own = await Promise.all(hits.map((hit) => isAgentsWord(store, hit)));
    return {
      text: [
        ...hits.map(
          ({ entity_id, entity_type, score, text }, index) =>
            `${recalledMark(entity_id)} ${entity_type}${own[index] ? ', reported by an agent,' : ''} ${score.toFixed(2)}: ${oneLine(text, MAX_TEXT)}`,
        ),
        'Show one in full with get_entity.',
      ].join('\n'),
    };
  },
});

/** Marks an agent's report, which GuardKit did not observe itself. */
async function isAgentsWord(store: EpisodeStore, { group, entity_id, entity_type }: SearchHit) {
  return entity_type === trace.type && (await store.get(group, entity_id))?.source === 'agent';
}
