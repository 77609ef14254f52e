import {
  type Fits,
  isAnything,
  isFlag,
  isListOf,
  isNumber,
  isShape,
  isText,
  orNothing,
} from '../../domain/json/plain-shape.ts';
import type { HookAnswer, HookEvent, HookSource, SpawnOutcome, ToolRequest } from '../hooks/hook-event.ts';
import { beginsFresh, isOn, isToolUse, maybeText, SESSION_FIELDS } from './payload-shapes.ts';
import { actedName, unclearEdit, unreadTool } from './shared-answers.ts';

/** Claude Code's hook protocol: its payloads, tool names and answers. */

const isPayload = isShape({
  ...SESSION_FIELDS,
  permission_mode: maybeText,
});

type Payload = typeof isPayload extends Fits<infer Value> ? Value : never;

const isTimed = isShape({ duration_ms: isNumber });
const isInterrupted = isShape({ is_interrupt: (value: unknown): value is true => value === true });
const isBatch = isShape({ tool_calls: isListOf(isShape({ tool_use_id: isText })) });
const isStop = isShape({ stop_hook_active: orNothing(isFlag), last_assistant_message: maybeText });
const hasBackground = isShape({
  background_tasks: isListOf(isShape({ id: isText, type: maybeText, status: maybeText })),
});
const isFailure = isShape({ error: isText });
const isLaunch = isShape({ tool_response: isShape({ status: isText }) });
const isPrompt = isShape({ prompt: isText, source: maybeText });

const isFile = isShape({ file_path: isText });
const isWrite = isShape({ file_path: isText, content: isText });
const REPLACEMENT = { old_string: isText, new_string: isText, replace_all: isAnything };
const isEdit = isShape({ ...REPLACEMENT, file_path: isText });
const isEdits = isShape({ file_path: isText, edits: isListOf(isShape(REPLACEMENT)) });
const isRead = isShape({ file_path: isText, limit: orNothing(isNumber) });
const isSearch = isShape({ path: maybeText });
const isNotebook = isShape({ notebook_path: isText });
const isLookup = isShape({ filePath: isText });
const isCommand = isShape({ command: isText, run_in_background: isAnything });
const isSpawn = isShape({ subagent_type: maybeText });

/** Permission modes in which a question reaches the person. */
const ASKING_MODES: readonly string[] = ['default', 'acceptEdits', 'plan'];

/** Undefined if this is not a payload of Claude Code. */
export function readClaudeEvent(payload: unknown, env: NodeJS.ProcessEnv): HookEvent | undefined {
  if (!isPayload(payload)) return undefined;
  const event = payload;
  const source = readSource(event, env);
  switch (event.hook_event_name) {
    case 'SessionStart':
      return { type: 'session-began', source, fresh: beginsFresh(event) };
    case 'SessionEnd':
      return { type: 'session-ended', source };
    case 'UserPromptSubmit':
      return readPrompt(event, source);
    case 'PreToolUse': {
      if (!isToolUse(event)) return undefined;
      const { tool_name, tool_input, tool_use_id } = event;
      const request = readTool(tool_name, tool_input);
      return { type: 'acting', source, action: tool_use_id, tool: tool_name, request };
    }
    case 'PostToolUse':
    case 'PostToolUseFailure': {
      if (!isToolUse(event)) return undefined;
      const tookMs = isTimed(event) && event.duration_ms >= 0 ? event.duration_ms : undefined;
      return {
        type: 'acted',
        source,
        action: event.tool_use_id,
        tookMs,
        spawned: readSpawned(event),
        ...(isInterrupted(event) ? { cutShort: event.tool_name } : {}),
        ...(event.hook_event_name === 'PostToolUse' ? {} : { failure: errorOf(event) }),
      };
    }
    case 'PostToolBatch': {
      if (!isBatch(event)) return undefined;
      return { type: 'batch-ended', source, actions: event.tool_calls.map(({ tool_use_id }) => tool_use_id) };
    }
    case 'SubagentStart':
      return { type: 'subagent-began', source };
    case 'Stop':
    case 'SubagentStop': {
      if (!isStop(event)) return undefined;
      return {
        type: 'stopping',
        source,
        of: event.hook_event_name === 'Stop' ? 'session' : 'subagent',
        again: event.stop_hook_active ?? false,
        said: event.last_assistant_message ?? '',
        background: readBackground(event),
      };
    }
    case 'ConfigChange':
      return { type: 'settings-changed', source, path: isFile(event) ? event.file_path : undefined };
    case 'FileChanged':
      return isFile(event) ? { type: 'file-changed', source, path: event.file_path } : undefined;
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
  if (!isPrompt(event)) return undefined;
  const { prompt: said, source: author } = event;
  // Older versions do not send the author; the notice of a finished task then looks like a person's prompt.
  const byPerson =
    author === undefined ? !said.startsWith('<task-notification>') : author === 'user' || author === 'sdk';
  return { type: 'prompted', source, text: said, byPerson, ended: byPerson ? undefined : endedTask(said) };
}

/** The id in a notice of a finished task, near its beginning. */
function endedTask(notice: string): string | undefined {
  return /<task-id>([\w-]{1,100})<\/task-id>/.exec(notice.slice(0, 1000))?.[1];
}

/** Undefined for tools that do not start an agent. */
function readSpawned(event: Payload & { tool_name: string; tool_input: unknown }): SpawnOutcome | undefined {
  const request = readTool(event.tool_name, event.tool_input);
  if (request.kind !== 'spawn') return undefined;
  const failed = event.hook_event_name === 'PostToolUseFailure';
  const said = errorOf(event) || 'no reason given';
  const background = isLaunch(event) && event.tool_response.status === 'async_launched';
  return { type: request.type, failure: failed ? said : undefined, background };
}

function errorOf(event: Payload): string {
  return isFailure(event) ? event.error.slice(0, 2000) : '';
}

function readBackground(event: Payload): string[] {
  if (!hasBackground(event)) return [];
  return event.background_tasks
    .filter(({ type, status }) => type === 'subagent' && status === 'running')
    .map(({ id }) => id);
}

/** Claude Code's own tools that only send text; actions that follow from it are judged on their own. */
const TALKING: readonly string[] = [
  'AskUserQuestion',
  'EnterPlanMode',
  'ExitPlanMode',
  'SendMessage',
  'Skill',
  'SlashCommand',
  'TaskCreate',
  'TaskUpdate',
  'TodoWrite',
];

/** A tool with unexpected input is judged by the paths in it. */
function readTool(name: string, input: unknown): ToolRequest {
  return knownTool(name, input) ?? { kind: 'tool', name, input };
}

function knownTool(name: string, input: unknown): ToolRequest | undefined {
  switch (name) {
    case 'Read':
      if (!isRead(input)) return undefined;
      return { kind: 'read', paths: [input.file_path], whole: input.limit === undefined };
    case 'Grep':
    case 'Glob':
    case 'LS':
      return isSearch(input) ? { kind: 'read', paths: [input.path ?? '.'], whole: false } : undefined;
    case 'Write':
      return isWrite(input)
        ? { kind: 'write', path: input.file_path, content: input.content }
        : unclearEdit(name, input, 'file_path');
    case 'Edit':
      if (!isEdit(input)) return unclearEdit(name, input, 'file_path');
      return { kind: 'replace', path: input.file_path, replacements: [replacement(input)] };
    case 'MultiEdit':
      if (!isEdits(input)) return unclearEdit(name, input, 'file_path');
      return { kind: 'replace', path: input.file_path, replacements: input.edits.map(replacement) };
    case 'NotebookEdit':
      return isNotebook(input) ? { kind: 'change', paths: [input.notebook_path] } : unreadTool(name, input);
    case 'LSP':
      return isLookup(input) ? { kind: 'read', paths: [input.filePath], whole: false } : undefined;
    case 'Agent':
    case 'Task':
      return isSpawn(input) ? { kind: 'spawn', type: input.subagent_type ?? 'general-purpose' } : undefined;
    default:
      if (TALKING.includes(name)) return { kind: 'tool', name, input, talks: true };
      // Any built-in tool with a `command` runs it. Tools of MCP servers are separate programs.
      if (name.startsWith('mcp__')) return undefined;
      if (isCommand(input))
        return { kind: 'command', command: input.command, background: isOn(input.run_in_background) };
      return name === 'Bash' ? unreadTool(name, input) : undefined;
  }
}

interface Replacement {
  old_string: string;
  new_string: string;
  replace_all: unknown;
}

function replacement({ old_string, new_string, replace_all }: Replacement) {
  return { old: old_string, new: new_string, all: isOn(replace_all) };
}

/** Events that a hook can block. A person's prompt is missing on purpose: it is never refused. */
const CAN_STOP: readonly string[] = ['PreToolUse', 'PostToolBatch', 'Stop', 'SubagentStop', 'ConfigChange'];

export function claudeCanBeStopped(eventName: string): boolean {
  return CAN_STOP.includes(eventName);
}

/** The answer as the JSON that a Claude Code hook prints. */
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
    case 'settings-changed': {
      const hookEventName = event.type === 'acted' ? actedName(event) : TAKES_CONTEXT[event.type];
      return {
        ...shared,
        ...(decision === 'go' ? {} : { decision: 'block', reason }),
        ...(context === undefined || !hookEventName
          ? {}
          : { hookSpecificOutput: { hookEventName, additionalContext: context } }),
      };
    }
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

/** Events whose answer can add context for the model. */
const TAKES_CONTEXT: Partial<Record<HookEvent['type'], string>> = {
  'batch-ended': 'PostToolBatch',
  'session-began': 'SessionStart',
  'subagent-began': 'SubagentStart',
  prompted: 'UserPromptSubmit',
  'file-changed': 'FileChanged',
};
