import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import {
  type Fits,
  isFlag,
  isListOf,
  isShape,
  isText,
  isTextOf,
  orNothing,
} from '../../domain/json/plain-shape.ts';
import type { HookAnswer, HookEvent, HookSource, ToolRequest } from '../hooks/hook-event.ts';
import { sharedTool } from './gemini-tools.ts';
import { beginsFresh, isToolUse, maybeText, SESSION_FIELDS } from './payload-shapes.ts';
import { OWN_PROMPT, reasonOf, unreadTool } from './shared-answers.ts';
import { writeToolUseAnswer } from './tool-use-answers.ts';

/** The hook protocol of Qwen Code: events and answers like those of Claude Code, tools like those of Gemini CLI. */

const isPayload = isShape(SESSION_FIELDS);

type Payload = typeof isPayload extends Fits<infer Value> ? Value : never;

const hasCallId = isShape({ tool_call_id: isText });
const isPrompt = isShape({ prompt: isText });
const isStop = isShape({ stop_hook_active: orNothing(isFlag), last_assistant_message: maybeText });
const hasBackground = isShape({ background_tasks: isListOf(isShape({ id: isText, status: isText })) });
const isFailure = isShape({ error: isText });

const isCommand = isShape({ command: isText });
const isPlaced = isShape({ directory: isTextOf(1) });
const isNotebook = isShape({ notebook_path: isText });
const isSpawn = isShape({ subagent_type: maybeText, run_in_background: orNothing(isFlag) });

/** Undefined if this is not a payload of Qwen Code. */
export function readQwenEvent(payload: unknown): HookEvent | undefined {
  if (!isPayload(payload)) return undefined;
  const event = payload;
  const source = readSource(event);
  switch (event.hook_event_name) {
    case 'SessionStart':
      return { type: 'session-began', source, fresh: beginsFresh(event) };
    case 'SessionEnd':
      return { type: 'session-ended', source };
    case 'UserPromptSubmit':
      return isPrompt(event) ? readPrompt(event.prompt, source) : undefined;
    case 'PreToolUse': {
      if (!isToolUse(event)) return undefined;
      const { tool_name: tool, tool_input: input } = event;
      const request = readTool(tool, input);
      // A command may run in another folder.
      const cwd =
        request.kind === 'command' && isPlaced(input) ? resolve(source.cwd, input.directory) : source.cwd;
      return { type: 'acting', source: { ...source, cwd }, action: actionId(event), tool, request };
    }
    case 'PostToolUse':
    case 'PostToolUseFailure': {
      if (!isToolUse(event)) return undefined;
      const failure = isFailure(event) ? event.error.slice(0, 2000) : undefined;
      const { tool_name: tool, tool_input: input } = event;
      const request = readTool(tool, input);
      return {
        type: 'acted',
        source,
        action: actionId(event),
        tookMs: undefined,
        spawned:
          request.kind === 'spawn'
            ? {
                type: request.type,
                failure,
                background: !isSpawn(input) || input.run_in_background !== false,
              }
            : undefined,
        ...(failure === undefined ? {} : { failure }),
      };
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
        background: runningTasks(event),
      };
    }
    default:
      return { type: 'other', source, name: event.hook_event_name };
  }
}

function readSource({ session_id, cwd, agent_id, agent_type }: Payload): HookSource {
  return {
    agent: 'qwen',
    session: session_id,
    cwd,
    // Tool calls of subagents have an id without a type.
    actorType: agent_type ?? (agent_id === undefined ? undefined : 'subagent'),
    actorId: agent_id,
    canAsk: false,
  };
}

/** The event also precedes each request with results of tools, without a text. The reason for a refused stop comes as a prompt too. */
function readPrompt(text: string, source: HookSource): HookEvent {
  if (text.trim() === '') return { type: 'other', source, name: 'UserPromptSubmit' };
  return { type: 'prompted', source, text, byPerson: !text.startsWith(OWN_PROMPT) };
}

/** The id of Qwen Code is unique; the id of the model's service appears in the event stream. */
function actionId(event: { tool_use_id: string }): string {
  return hasCallId(event) ? `${event.tool_use_id} ${event.tool_call_id}` : event.tool_use_id;
}

/** Whether an action is the call with this id of the model's service. */
export function isQwenCall(action: string, callId: string): boolean {
  return callId !== '' && action.endsWith(` ${callId}`);
}

function runningTasks(event: Payload): string[] {
  if (!hasBackground(event)) return [];
  return event.background_tasks
    .filter(({ id, status }) => status === 'running' && id !== event.agent_id)
    .map(({ id }) => id);
}

/** Tools that only send text, or show the model something of Qwen Code itself. */
const TALKING: readonly string[] = [
  'todo_write',
  'ask_user_question',
  'exit_plan_mode',
  'skill',
  'tool_search',
  'get_goal',
  'update_goal',
  'list_agents',
  'send_message',
  'task_stop',
  'report_findings',
  'cron_create',
  'cron_list',
  'cron_delete',
  'loop_wakeup',
  'structured_output',
];

/** A tool with unexpected input is judged by the paths in it. */
function readTool(name: string, input: unknown): ToolRequest {
  return sharedTool(name, input) ?? knownTool(name, input) ?? { kind: 'tool', name, input };
}

function knownTool(name: string, input: unknown): ToolRequest | undefined {
  switch (name) {
    case 'notebook_edit':
      return isNotebook(input) ? { kind: 'change', paths: [input.notebook_path] } : unreadTool(name, input);
    case 'save_memory':
      // It becomes an instruction for all later sessions.
      return { kind: 'change', paths: [join(homedir(), '.qwen', 'settings.json')] };
    case 'agent':
    case 'task':
      return isSpawn(input) ? { kind: 'spawn', type: input.subagent_type ?? 'general-purpose' } : undefined;
    default:
      if (TALKING.includes(name)) return { kind: 'tool', name, input, talks: true };
      // Any built-in tool with a `command` runs it, such as `monitor`. Tools of MCP servers are separate programs.
      if (name.startsWith('mcp__')) return undefined;
      if (isCommand(input)) return { kind: 'command', command: input.command, background: true };
      return name === 'monitor' ? unreadTool(name, input) : undefined;
  }
}

/** Events that a hook can block. A person's prompt is missing on purpose: it is never refused. */
const CAN_STOP: readonly string[] = ['PreToolUse', 'Stop', 'SubagentStop'];

export function qwenCanBeStopped(eventName: string): boolean {
  return CAN_STOP.includes(eventName);
}

export function writeQwenAnswer(event: HookEvent, answer: HookAnswer): Record<string, unknown> {
  if (event.type !== 'stopping' || answer.decision === 'go') return writeToolUseAnswer(event, answer);
  return writeToolUseAnswer(event, { ...answer, reason: `${OWN_PROMPT}${reasonOf(answer)}` });
}
