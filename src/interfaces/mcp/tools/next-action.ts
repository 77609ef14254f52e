import { existsSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { readWork } from '../../../config/work/read-work.ts';
import type { Feature } from '../../../domain/entities/feature.ts';
import { oneLine } from '../../../domain/json/clean-text.ts';
import { openFeatures } from '../../../enforcement/feature-list/open-features.ts';
import { featuresOfCheckout } from '../../../enforcement/feature-list/with-defined.ts';
import { describeNext } from '../../../orchestration/session/next-runnable.ts';
import { projectSession } from '../../../orchestration/session/project-session.ts';
import { type KeptSession, openSessions } from '../../../orchestration/session-record/kept-session.ts';
import type { McpContext } from '../mcp-context.ts';
import { defineTool, type ToolAnswer } from '../mcp-tool.ts';

const SHOWN = 10;

export const nextActionTool = defineTool({
  name: 'next_action',
  description: 'Show the next feature, its criteria and the next step.',
  readOnly: true,
  input: z.strictObject({}),
  run: nextAction,
});

async function nextAction(context: McpContext): Promise<ToolAnswer> {
  const { root, project, home } = await context.project();
  const session = existsSync(join(home, 'ledger.db'))
    ? sessionLine(openSessions(await context.ledger(), project), realpathSync(root))
    : [];
  const { features: known, notices } = await openFeatures(context, root);
  const features = await featuresOfCheckout(context, await readWork(root), [...known.values()]);
  if (features.length === 0)
    return {
      text:
        session[0] ??
        'There are no features yet. `guardkit feature add "TEXT" --criterion "TEXT"` adds the first.',
    };
  const { next, waiting, done } = describeNext(features);
  const more = waiting.length - SHOWN;
  return {
    text: [
      ...session,
      ...(next ? describe(next) : [`No feature is ready; ${done} are done.`]),
      ...waiting.slice(0, SHOWN).map(({ feature, why }) => oneLine(`${feature} waits: ${why}`, 300)),
      ...(more > 0 ? [`… and ${more} more waiting`] : []),
      ...notices.map((notice) => oneLine(notice, 500)),
    ].join('\n'),
  };
}

/** An open session comes before new work. */
function sessionLine(open: readonly KeptSession[], checkout: string): string[] {
  const own = open.find((one) => one.checkout === checkout);
  if (!own) return [];
  const { session_id, state, next_action } = projectSession(own.session);
  return [oneLine(`Session ${session_id} is running (${state}): ${next_action}`, 400)];
}

function describe(feature: Feature): string[] {
  const { id, name, description, status, priority, retries, acceptance_criteria, notes } = feature;
  return [
    oneLine(`${id} (${status}, priority ${priority}): ${name || description}`, 400),
    ...(name && description ? [oneLine(description, 1000)] : []),
    ...acceptance_criteria.slice(0, 30).map((one) => oneLine(`- ${one.id}: ${one.text}`, 300)),
    ...(retries > 0 ? [`${retries} attempts failed before; see turn_history and query_traces.`] : []),
    ...(notes ? [oneLine(`notes: ${notes}`, 600)] : []),
    status === 'completed'
      ? `Now: verify_feature ${id}.`
      : `Now: implement it with tests that name its criteria, set its status to completed with feature_update, then verify_feature ${id}.`,
  ];
}
