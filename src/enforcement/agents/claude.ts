import * as z from 'zod';
import type { HookAnswer, HookEvent, HookSource, ToolRequest } from '../hook-event.ts';

/** Everything particular to Claude Code's hooks: what it tells, how its tools are called, how it is answered. */

const text = z.string();
const maybeText = z.string().optional();

const payloadSchema = z.looseObject({
  session_id: z.string().min(1).max(200),
  cwd: z.string().min(1),
  hook_event_name: z.string().min(1).max(100),
  permission_mode: maybeText,
  agent_id: maybeText,
  agent_type: maybeText,
});

type Payload = z.infer<typeof payloadSchema>;

const toolSchema = z.looseObject({
  tool_name: z.string().min(1),
  tool_input: z.unknown(),
  tool_use_id: z.string().min(1),
});

const fileSchema = z.looseObject({ file_path: text });
const writeSchema = z.looseObject({ file_path: text, content: text });
const replacementSchema = z.looseObject({
  old_string: text,
  new_string: text,
  replace_all: z.boolean().optional(),
});
const editSchema = replacementSchema.extend({ file_path: text });
const editsSchema = z.looseObject({ file_path: text, edits: z.array(replacementSchema) });
const readSchema = z.looseObject({ file_path: text, limit: z.number().optional() });
const searchSchema = z.looseObject({ path: maybeText });
const notebookSchema = z.looseObject({ notebook_path: text });
const commandSchema = z.looseObject({ command: text, run_in_background: z.boolean().optional() });
const spawnSchema = z.looseObject({ subagent_type: maybeText });

/** Modes in which a question reaches the person rather than a program that answers for them. */
const ASKING_MODES: readonly string[] = ['default', 'acceptEdits', 'plan'];

/** Undefined where this is no payload of Claude Code. */
export function readClaudeEvent(payload: unknown, env: NodeJS.ProcessEnv): HookEvent | undefined {
  const base = payloadSchema.safeParse(payload);
  if (!base.success) return undefined;
  const source = readSource(base.data, env);
  const event = base.data;
  switch (event.hook_event_name) {
    case 'SessionStart':
      return { type: 'session-began', source };
    case 'SessionEnd':
      return { type: 'session-ended', source };
    case 'UserPromptSubmit':
      return readPrompt(event, source);
    case 'PreToolUse': {
      const tool = toolSchema.safeParse(event);
      if (!tool.success) return undefined;
      const { tool_name, tool_input, tool_use_id } = tool.data;
      const request = readTool(tool_name, tool_input);
      return { type: 'acting', source, action: tool_use_id, tool: tool_name, request };
    }
    case 'PostToolUse':
    case 'PostToolUseFailure': {
      const tool = toolSchema.safeParse(event);
      if (!tool.success) return undefined;
      const tookMs = z.looseObject({ duration_ms: z.number().min(0) }).safeParse(event).data?.duration_ms;
      return { type: 'acted', source, action: tool.data.tool_use_id, tookMs };
    }
    case 'PostToolBatch': {
      const batch = z
        .looseObject({ tool_calls: z.array(z.looseObject({ tool_use_id: text })) })
        .safeParse(event);
      if (!batch.success) return undefined;
      return {
        type: 'batch-ended',
        source,
        actions: batch.data.tool_calls.map(({ tool_use_id }) => tool_use_id),
      };
    }
    case 'SubagentStart':
      return { type: 'subagent-began', source };
    case 'Stop':
    case 'SubagentStop': {
      const stop = z
        .looseObject({ stop_hook_active: z.boolean().default(false), last_assistant_message: maybeText })
        .safeParse(event);
      if (!stop.success) return undefined;
      return {
        type: 'stopping',
        source,
        of: event.hook_event_name === 'Stop' ? 'session' : 'subagent',
        again: stop.data.stop_hook_active,
        said: stop.data.last_assistant_message ?? '',
      };
    }
    case 'ConfigChange':
      return { type: 'settings-changed', source, path: fileSchema.safeParse(event).data?.file_path };
    case 'FileChanged': {
      const file = fileSchema.safeParse(event);
      return file.success ? { type: 'file-changed', source, path: file.data.file_path } : undefined;
    }
    default:
      return { type: 'other', source, name: event.hook_event_name };
  }
}

function readSource(payload: Payload, env: NodeJS.ProcessEnv): HookSource {
  const { session_id, cwd, agent_id, agent_type, permission_mode = 'default' } = payload;
  return {
    agent: 'claude',
    session: session_id,
    cwd,
    actorType: agent_type,
    actorId: agent_id,
    canAsk:
      env.CLAUDE_CODE_ENTRYPOINT === 'cli' &&
      env.CLAUDE_CODE_SESSION_ATTENDED !== '0' &&
      ASKING_MODES.includes(permission_mode),
  };
}

function readPrompt(event: Payload, source: HookSource): HookEvent | undefined {
  const prompt = z.looseObject({ prompt: text, source: maybeText }).safeParse(event);
  if (!prompt.success) return undefined;
  const { prompt: said, source: author } = prompt.data;
  // Older versions do not tell the author; a notice of a finished task then comes like a person's words.
  const byPerson =
    author === undefined ? !said.startsWith('<task-notification>') : author === 'user' || author === 'sdk';
  return { type: 'prompted', source, text: said, byPerson };
}

/** A tool whose input is not as it should be is judged by whatever of it names a file. */
function readTool(name: string, input: unknown): ToolRequest {
  return knownTool(name, input) ?? { kind: 'tool', name, input };
}

function knownTool(name: string, input: unknown): ToolRequest | undefined {
  switch (name) {
    case 'Read': {
      const read = readSchema.safeParse(input).data;
      return read && { kind: 'read', paths: [read.file_path], whole: read.limit === undefined };
    }
    case 'Grep':
    case 'Glob':
    case 'LS': {
      const search = searchSchema.safeParse(input).data;
      return search && { kind: 'read', paths: [search.path ?? '.'], whole: false };
    }
    case 'Write': {
      const write = writeSchema.safeParse(input).data;
      return write && { kind: 'write', path: write.file_path, content: write.content };
    }
    case 'Edit': {
      const edit = editSchema.safeParse(input).data;
      return edit && { kind: 'replace', path: edit.file_path, replacements: [replacement(edit)] };
    }
    case 'MultiEdit': {
      const edits = editsSchema.safeParse(input).data;
      return edits && { kind: 'replace', path: edits.file_path, replacements: edits.edits.map(replacement) };
    }
    case 'NotebookEdit': {
      const notebook = notebookSchema.safeParse(input).data;
      return notebook && { kind: 'change', paths: [notebook.notebook_path] };
    }
    case 'Agent':
    case 'Task': {
      const spawn = spawnSchema.safeParse(input).data;
      return spawn && { kind: 'spawn', type: spawn.subagent_type ?? 'general-purpose' };
    }
    default: {
      // Whatever it is called, what takes a command runs it. A server's own tools are another program's business.
      if (name.startsWith('mcp__')) return undefined;
      const command = commandSchema.safeParse(input).data;
      return (
        command && {
          kind: 'command',
          command: command.command,
          background: command.run_in_background ?? false,
        }
      );
    }
  }
}

function replacement({ old_string, new_string, replace_all }: z.infer<typeof replacementSchema>) {
  return { old: old_string, new: new_string, all: replace_all ?? false };
}

/** Claude Code's own names of the events that it can be kept from. A person's prompt is not among them: it is never refused. */
const CAN_STOP: readonly string[] = ['PreToolUse', 'PostToolBatch', 'Stop', 'SubagentStop', 'ConfigChange'];

export function claudeCanBeStopped(eventName: string): boolean {
  return CAN_STOP.includes(eventName);
}

/** The answer in Claude Code's own words, as the JSON that a hook prints. */
export function writeClaudeAnswer(event: HookEvent, answer: HookAnswer): Record<string, unknown> {
  const { decision, reason, context, notice, watch } = answer;
  const shared = notice === undefined ? {} : { systemMessage: notice };
  switch (event.type) {
    case 'acting':
      return {
        ...shared,
        ...(decision === 'go' && context === undefined
          ? {}
          : {
              hookSpecificOutput: {
                hookEventName: 'PreToolUse',
                ...(decision === 'go'
                  ? {}
                  : {
                      permissionDecision: decision === 'ask' ? 'ask' : 'deny',
                      permissionDecisionReason: reason,
                    }),
                ...(context === undefined ? {} : { additionalContext: context }),
              },
            }),
      };
    case 'acted':
    case 'stopping':
    case 'batch-ended':
    case 'settings-changed':
      return {
        ...shared,
        ...(decision === 'go' ? {} : { decision: 'block', reason }),
        ...(context === undefined || !TAKES_CONTEXT[event.type]
          ? {}
          : { hookSpecificOutput: { hookEventName: TAKES_CONTEXT[event.type], additionalContext: context } }),
      };
    case 'session-began':
    case 'subagent-began':
    case 'prompted':
    case 'file-changed': {
      const hookEventName = TAKES_CONTEXT[event.type];
      const more = {
        ...(context === undefined || event.type === 'file-changed' ? {} : { additionalContext: context }),
        ...(watch === undefined ? {} : { watchPaths: watch }),
      };
      return Object.keys(more).length === 0
        ? shared
        : { ...shared, hookSpecificOutput: { hookEventName, ...more } };
    }
    case 'session-ended':
    case 'other':
      return shared;
  }
}

/** The events whose answer may tell the model something, by their names. */
const TAKES_CONTEXT: Partial<Record<HookEvent['type'], string>> = {
  acted: 'PostToolUse',
  'batch-ended': 'PostToolBatch',
  'session-began': 'SessionStart',
  'subagent-began': 'SubagentStart',
  prompted: 'UserPromptSubmit',
  'file-changed': 'FileChanged',
};
