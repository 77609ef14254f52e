import * as z from 'zod';
import { readClaudeEvent } from '../../../enforcement/agents/claude.ts';
import type { HookSource, ToolRequest } from '../../../enforcement/hooks/hook-event.ts';
import { actorOf, toAction } from '../../../enforcement/hooks/to-action.ts';
import { GuardKitError } from '../../../guardkit-error.ts';
import type { Action } from '../../../guards/action.ts';
import type { PathContext } from '../../../guards/path-context.ts';

const text = z.string();

/** An action in no agent's own words. */
const requestSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('read'), paths: z.array(text), whole: z.boolean().default(true) }),
  z.strictObject({ kind: z.literal('write'), path: text, content: text }),
  z.strictObject({
    kind: z.literal('replace'),
    path: text,
    replacements: z.array(z.strictObject({ old: text, new: text, all: z.boolean().default(false) })),
  }),
  z.strictObject({ kind: z.literal('change'), paths: z.array(text) }),
  z.strictObject({ kind: z.literal('command'), command: text, background: z.boolean().default(false) }),
  z.strictObject({ kind: z.literal('spawn'), type: text }),
  z.strictObject({ kind: z.literal('tool'), name: text, input: z.unknown() }),
]);

export interface ReadActionOptions {
  agentType: string | undefined;
  env: NodeJS.ProcessEnv;
}

/** The action that a recorded hook payload, or a plain request, tells of. */
export function readAction(
  json: string,
  context: PathContext,
  { agentType, env }: ReadActionOptions,
): Action {
  const value = parse(json);
  const said = requestSchema.safeParse(value);
  if (said.success) {
    const source: HookSource = {
      agent: 'none',
      session: 'test',
      cwd: context.cwd,
      actorType: agentType,
      actorId: undefined,
      canAsk: true,
    };
    return toAction(said.data.kind, said.data as ToolRequest, source, context);
  }
  const event = readClaudeEvent(value, env);
  const source = event && { ...event.source, actorType: agentType ?? event.source.actorType };
  if (source && event.type === 'acting') return toAction(event.tool, event.request, source, context);
  if (source && event.type === 'stopping')
    return {
      kind: 'stop',
      actor: actorOf(source),
      tool: 'stop',
      summary: 'stop',
      of: event.of,
      changed: undefined,
      again: event.again,
    };
  throw new GuardKitError({
    code: 'guard.no-action',
    kind: 'input',
    message: event
      ? `A payload of ${event.type} is no action that guards judge.`
      : 'This is neither a hook’s payload nor a plain action.',
    hint: 'Give a PreToolUse payload of Claude Code, or JSON such as {"kind": "command", "command": "npm test"}.',
  });
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch (error) {
    throw new GuardKitError({
      code: 'guard.no-action',
      kind: 'input',
      message: `The action is no JSON: ${error instanceof Error ? error.message : String(error)}.`,
      hint: 'Give the payload as the agent’s program sent it.',
      cause: error,
    });
  }
}
