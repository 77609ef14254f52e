import * as z from 'zod';
import { oneLine } from '../../../domain/json/clean-text.ts';
import { listContext } from '../../../enforcement/feature-list/known-list.ts';
import { actorName } from '../../../enforcement/feature-list/reconcile-feature-list.ts';
import { createGuard } from '../../../learning/proposals/create-guard.ts';
import { callingAgent } from '../calling-agent.ts';
import { defineTool } from '../mcp-tool.ts';
import { openLearning } from '../open-learning.ts';

const SHOWN = 5;

export const createGuardTool = defineTool({
  name: 'create_guard',
  description:
    'Propose a guard from a pattern and show its backtest. It only watches until a person promotes it.',
  readOnly: false,
  input: z.strictObject({
    pattern: z.string().min(1).max(300).describe('A pattern id from extract_patterns.'),
    dry_run: z.boolean().default(false).describe('Only show the guard.'),
  }),
  async run(context, { pattern, dry_run }) {
    const { settings: _settings, ...learning } = await openLearning(context);
    const { home } = await context.project();
    const { changedBy } = callingAgent(
      listContext(learning.ledger, learning.project, learning.root, home),
      context.env,
    );
    const created = await createGuard({
      ...learning,
      patternId: pattern,
      by: actorName(changedBy.actor),
      person: false,
      dryRun: dry_run,
      now: Date.now(),
    });
    if (!created.ok) return { refused: true, text: `${created.why}\n${created.hint}` };
    const { guard, known } = created;
    const { actions, fired, violations, approved, unknown, false_blocks } = guard.backtest;
    const what = known ? 'already exists' : dry_run ? 'would be proposed' : 'is proposed';
    return {
      text: [
        `${guard.guard_id} ${what}, in mode ${guard.mode}: ${oneLine(String(guard.definition.summary ?? ''), 300)}`,
        `Of ${actions} recorded actions it would have refused ${fired}: ${violations} violations, ${approved} approved, ${unknown} not judged.`,
        ...false_blocks.slice(0, SHOWN).map(({ summary }) => oneLine(`wrongly: ${summary}`, 200)),
        `Only a person can promote it: \`guardkit guard promote ${guard.guard_id}\`.`,
      ].join('\n'),
    };
  },
});
