import * as z from 'zod';
import { FEATURE_STATUSES } from '../../../domain/entities/feature.ts';
import { workIdSchema } from '../../../domain/entities/work-id.ts';
import { editFeatures } from '../../../enforcement/feature-list/edit-features.ts';
import { listContext } from '../../../enforcement/feature-list/known-list.ts';
import { planFeatureEdit } from '../../../enforcement/feature-list/plan-feature-edit.ts';
import { actorName } from '../../../enforcement/feature-list/reconcile-feature-list.ts';
import { describeListFaults } from '../../../enforcement/feature-list/record-list-violation.ts';
import { callingAgent } from '../calling-agent.ts';
import type { McpContext } from '../mcp-context.ts';
import { defineTool, type ToolAnswer } from '../mcp-tool.ts';

const text = z.string().min(1).max(2000);

const input = z.strictObject({
  id: workIdSchema,
  status: z.enum(FEATURE_STATUSES).optional(),
  notes: z.string().max(50_000).optional().describe('Replaces the notes.'),
  files: z.array(z.string().min(1).max(1000)).max(2000).optional().describe('Files it touches.'),
  priority: z.int().min(1).max(1_000_000).optional().describe('1 is most urgent.'),
  criteria_add: z.array(text).max(50).default([]).describe('Acceptance criteria to add.'),
  dependencies_add: z.array(workIdSchema).max(50).default([]),
});

export const featureUpdateTool = defineTool({
  name: 'feature_update',
  description:
    'Change the fields of a feature that your role may change. Only verify_feature sets `tested`; only a person removes or unblocks.',
  readOnly: false,
  input,
  run: update,
});

async function update(context: McpContext, asked: z.infer<typeof input>): Promise<ToolAnswer> {
  const { id, status, notes, files, priority, criteria_add, dependencies_add } = asked;
  const values = Object.fromEntries(
    Object.entries({ status, notes, files, priority }).filter(([, value]) => value !== undefined),
  );
  if (Object.keys(values).length + criteria_add.length + dependencies_add.length === 0)
    return {
      refused: true,
      text: 'No change given. Pass status, notes, files or another field.',
    };
  const { root, project, home } = await context.project();
  const list = listContext(await context.ledger(), project, root, home);
  const { changedBy, editor } = callingAgent(list, context.env);
  const who = { by: 'agent' as const, actor: actorName(changedBy.actor) };
  const { planned } = await editFeatures(list, changedBy, who, (features) =>
    planFeatureEdit(
      features,
      id,
      {
        values,
        criteriaAdded: criteria_add.map((one) => ({ text: one })),
        criteriaRemoved: [],
        dependenciesAdded: dependencies_add,
        dependenciesRemoved: [],
        remove: false,
      },
      editor,
    ),
  );
  if (!planned.ok) {
    const hints = [...new Set(planned.faults.map(({ guidance }) => guidance))].slice(0, 4);
    return {
      refused: true,
      text: `${describeListFaults(planned.faults)}.\n${hints.join(' ')} Nothing changed.`,
    };
  }
  const [changed] = planned.changed;
  return {
    text: changed
      ? `${id} is ${changed.status}, ${changed.tested ? 'tested' : 'not tested'}. verify_feature runs its gates.`
      : `${id} already has these values.`,
  };
}
