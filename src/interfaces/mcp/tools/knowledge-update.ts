import { openKnowledge } from '../../../architecture/file/open-knowledge.ts';
import { type RecordedUpdate, recordUpdate, remember } from '../../../architecture/history/record-update.ts';
import { describeFaults, knowledgeUpdate } from '../../../architecture/update/knowledge-update.ts';
import { knowledgeUpdateSchema } from '../../../architecture/update/update-schema.ts';
import type { McpContext } from '../mcp-context.ts';
import { boundText, type McpTool, type ToolAnswer } from '../mcp-tool.ts';
import { schemaHere } from './schema-here.ts';

const MAX_DIFF = 6000;
const SHOWN_FAULTS = 10;

/** Parameters are validated by hand, to report faults with the correct values. */
export const knowledgeUpdateTool: McpTool = {
  name: 'knowledge_update',
  description:
    'Change the architecture graph (.maestro/knowledge.dot). Invalid changes are refused with an explanation.',
  readOnly: false,
  input: async (context) => knowledgeUpdateSchema(await schemaHere(context)),
  run: update,
};

async function update(context: McpContext, request: unknown): Promise<ToolAnswer> {
  const opened = await openKnowledge(context);
  const { file, schema } = opened;
  let recorded: RecordedUpdate | undefined;
  const result = await knowledgeUpdate(request, file, {
    schema,
    onWritten: async (change) => {
      recorded = await recordUpdate(context, opened, change, 'knowledge_update');
    },
  });
  if (!result.ok) return { refused: true, code: result.code, text: `${result.message}\n${result.hint}` };
  const notices = recorded ? await remember(context, recorded) : [];
  const { written, changes, diff, faults, warnings } = result;
  const head = written
    ? 'Done:'
    : diff === ''
      ? 'No change needed:'
      : 'Nothing was written; this would change:';
  return {
    text: [
      head,
      ...changes.map((change) => `- ${change}`),
      ...(diff === '' ? [] : [boundText(diff, MAX_DIFF).trimEnd()]),
      ...(faults.length > 0 ? ['Existing faults:', ...describeFaults(file.name, faults, SHOWN_FAULTS)] : []),
      ...(warnings.length > 0 ? ['Warnings:', ...describeFaults(file.name, warnings, SHOWN_FAULTS)] : []),
      ...notices,
    ].join('\n'),
  };
}
