import * as z from 'zod';
import { visibleGroups } from '../../../config/project/workspace.ts';
import { recalledMark } from '../../../domain/precedent-marks.ts';
import { parseTimestamp } from '../../../domain/timestamp.ts';
import { boundText, defineTool } from '../mcp-tool.ts';

const MAX_SHOWN = 5;
const MAX_BODY = 8000;

export const getEntityTool = defineTool({
  name: 'get_entity',
  description: 'Show an entity in memory in full.',
  readOnly: true,
  input: z.strictObject({
    id: z.string().min(1).max(300).describe('Such as TURN-FEAT-1-TASK-1-2; a short form may match several.'),
    as_of: z.string().max(40).optional().describe('As it was at this time (ISO 8601).'),
  }),
  async run(context, { id, as_of }) {
    const groups = visibleGroups(await context.workspace());
    const asOf = as_of === undefined ? undefined : parseTimestamp(as_of);
    const store = await context.store();
    const episodes = await store.find(id, { groups, ...(asOf === undefined ? {} : { asOf }) });
    if (episodes.length === 0)
      return {
        refused: true,
        text: 'No entity with this id. Search with search_memory.',
      };
    const shown = episodes.slice(0, MAX_SHOWN);
    const most = Math.floor(MAX_BODY / shown.length);
    return {
      text: [
        ...shown.flatMap((episode) => [
          `${recalledMark(episode.entity_id)} ${episode.entity_type} in ${episode.group}, since ${episode.valid_at}, by ${episode.source}`,
          boundText(JSON.stringify(episode.body), most),
        ]),
        ...(episodes.length > shown.length
          ? [
              `Also: ${episodes
                .slice(MAX_SHOWN, 50)
                .map(({ entity_id }) => entity_id)
                .join(', ')}`,
            ]
          : []),
      ].join('\n'),
    };
  },
});
