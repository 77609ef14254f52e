import * as z from 'zod';
import type { ToolRequest } from '../../../enforcement/hooks/hook-event.ts';
import { shellWord } from '../../../platform/processes/shell-word.ts';

/** Messages of the Agent Client Protocol, version 1. Unknown fields and updates are allowed. */

export const initializedSchema = z.looseObject({
  protocolVersion: z.number(),
  agentCapabilities: z.looseObject({ loadSession: z.boolean().optional() }).optional(),
});

export const sessionSchema = z.looseObject({ sessionId: z.string().min(1).max(200) });

const count = z.number().min(0).catch(0).default(0);

export const promptedSchema = z.looseObject({
  stopReason: z.string(),
  usage: z.looseObject({ inputTokens: count, outputTokens: count }).nullish().catch(undefined),
});

const textBlock = z.looseObject({ type: z.literal('text'), text: z.string() });

const toolCallSchema = z.looseObject({
  toolCallId: z.string().min(1),
  title: z.string().nullish(),
  kind: z.string().nullish(),
  status: z.string().nullish(),
  rawInput: z.unknown().optional(),
  locations: z
    .array(z.looseObject({ path: z.string() }))
    .nullish()
    .catch([]),
  content: z
    .array(z.looseObject({ type: z.string(), path: z.string().optional() }))
    .nullish()
    .catch([]),
});

export type ToolCall = z.infer<typeof toolCallSchema>;

export const updateSchema = z.looseObject({
  sessionId: z.string(),
  update: z.union([
    z.looseObject({ sessionUpdate: z.literal('agent_message_chunk'), content: textBlock }),
    toolCallSchema.extend({ sessionUpdate: z.enum(['tool_call', 'tool_call_update']) }),
    z.looseObject({
      sessionUpdate: z.literal('usage_update'),
      cost: z
        .looseObject({ amount: z.number().min(0), currency: z.string() })
        .nullish()
        .catch(undefined),
    }),
  ]),
});

export const permissionSchema = z.looseObject({
  sessionId: z.string().min(1).max(200),
  toolCall: toolCallSchema,
  options: z.array(z.looseObject({ optionId: z.string(), kind: z.string() })),
});

const commandSchema = z.looseObject({ command: z.union([z.string(), z.array(z.string()).min(1)]) });

/** The tool call that an agent asks permission for. Undefined if it does not show what it would do. */
export function requestOf(call: ToolCall): ToolRequest | undefined {
  const { kind, title, rawInput } = call;
  const name = title ?? kind ?? 'tool';
  switch (kind) {
    case 'execute': {
      const command = commandOf(call);
      return command === undefined ? undefined : { kind: 'command', command, background: false };
    }
    case 'edit':
    case 'delete':
    case 'move':
      return changeOf(call);
    case 'read':
    case 'search':
      return { kind: 'read', paths: pathsOf(call), whole: false };
    case 'think':
      return { kind: 'tool', name, input: rawInput, talks: true };
    default:
      return { kind: 'tool', name, input: rawInput ?? { title } };
  }
}

/** Some agents show a command only in the title. */
function commandOf({ rawInput, title }: ToolCall): string | undefined {
  const command = commandSchema.safeParse(rawInput).data?.command ?? title ?? '';
  const text = typeof command === 'string' ? command : command.map(shellWord).join(' ');
  return text.trim() === '' ? undefined : text;
}

/** The text of a diff may be the whole file or a part of it, so the result is unknown. */
function changeOf(call: ToolCall): ToolRequest | undefined {
  const paths = pathsOf(call);
  return paths.length === 0 ? undefined : { kind: 'change', paths };
}

const PATH_FIELDS = ['path', 'filePath', 'file_path', 'filepath', 'filename', 'fileName'];

function pathsOf(call: ToolCall): string[] {
  const { rawInput, locations, content } = call;
  const fields = z.looseObject({}).safeParse(rawInput).data ?? {};
  const named = PATH_FIELDS.map((name) => fields[name]).filter((value) => typeof value === 'string');
  const shown = (locations ?? []).map(({ path }) => path);
  const changed = (content ?? []).flatMap(({ path }) => (typeof path === 'string' ? [path] : []));
  return [...new Set([...changed, ...shown, ...named])];
}
