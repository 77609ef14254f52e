import { homedir } from 'node:os';
import { join } from 'node:path';
import {
  type Fits,
  isFlag,
  isListOf,
  isShape,
  isText,
  isTextOf,
  isWhole,
  orNothing,
  own,
} from '../../domain/json/plain-shape.ts';
import type { HookAnswer, HookEvent, HookSource, ToolRequest } from '../hooks/hook-event.ts';
import { contentId, isOn, isToolCall, maybeText, SESSION_FIELDS } from './payload-shapes.ts';
import { OWN_PROMPT, patchRequest, reasonOf, unreadTool } from './shared-answers.ts';
import { writeToolUseAnswer } from './tool-use-answers.ts';

/**
 * The hook protocol of GitHub Copilot CLI. Events with names like `PreToolUse` have payloads and answers like those of
 * Claude Code. Tools then have names like Claude Code's, if it has such a tool, and inputs of Copilot's own.
 */

const isPayload = isShape({ ...SESSION_FIELDS, parent_agent_id: maybeText });

type Payload = typeof isPayload extends Fits<infer Value> ? Value : never;

const isPrompt = isShape({ prompt: isText });
const isStop = isShape({ stop_hook_active: orNothing(isFlag), last_assistant_message: maybeText });
const isFailure = isShape({ error: isText });

const isCommand = isShape({ command: isText });
const isTyped = isShape({ shellId: isText, input: isText });
const isFile = isShape({ path: isText });
const isWrite = isShape({ path: isText, file_text: isText });
const isReplace = isShape({ path: isText, old_str: isText, new_str: isText });
const isInsert = isShape({ path: isText, insert_line: isWhole });
const isView = isShape({ path: isText, view_range: orNothing(isListOf(isWhole)) });
const isSearch = isShape({ pattern: isText });
const isPatch = isShape({ input: isText });
const isPatchText = isShape({ patch: isText });
const isSpawn = isShape({ agent_type: isTextOf(1), prompt: isText });

/** Undefined if this is not a payload of Copilot CLI. */
export function readCopilotEvent(payload: unknown): HookEvent | undefined {
  if (!isPayload(payload)) return undefined;
  const event = payload;
  const source = readSource(event);
  switch (event.hook_event_name) {
    case 'SessionStart':
      return { type: 'session-began', source, fresh: true };
    case 'SessionEnd':
      return { type: 'session-ended', source };
    case 'UserPromptSubmit': {
      if (!isPrompt(event)) return undefined;
      const { prompt: text, agent_id } = event;
      const byPerson = agent_id === undefined && !NOT_BY_PERSON.some((begin) => text.startsWith(begin));
      return { type: 'prompted', source, text, byPerson };
    }
    case 'PreToolUse': {
      if (!isToolCall(event)) return undefined;
      const { tool_name: tool, tool_input: input } = event;
      return {
        type: 'acting',
        source,
        action: copilotActionId(input),
        tool,
        request: readTool(tool, input),
      };
    }
    case 'PostToolUse':
    case 'PostToolUseFailure': {
      if (!isToolCall(event)) return undefined;
      const { tool_name: tool, tool_input: input } = event;
      const failure = isFailure(event) ? event.error.slice(0, 2000) : undefined;
      const request = readTool(tool, input);
      return {
        type: 'acted',
        source,
        action: copilotActionId(input),
        tookMs: undefined,
        spawned:
          request.kind === 'spawn'
            ? {
                type: request.type,
                failure,
                background: isSpawn(input) && own(input, 'mode') === 'background',
              }
            : undefined,
        ...(failure === undefined ? {} : { failure }),
      };
    }
    case 'Stop':
    case 'SubagentStop': {
      if (!isStop(event)) return undefined;
      // The stop of a subagent is reported twice.
      if (event.hook_event_name === 'Stop' && event.agent_id !== undefined)
        return { type: 'other', source, name: 'Stop' };
      return {
        type: 'stopping',
        source,
        of: event.hook_event_name === 'Stop' ? 'session' : 'subagent',
        again: event.stop_hook_active ?? false,
        said: event.last_assistant_message ?? '',
      };
    }
    default:
      return { type: 'other', source, name: event.hook_event_name };
  }
}

/** GuardKit's own prompt, and the notice of a finished command. */
const NOT_BY_PERSON = [OWN_PROMPT, '<system_notification>'];

/** In events of a subagent, the session is the subagent. */
function readSource({ session_id, cwd, agent_id, agent_type, parent_agent_id }: Payload): HookSource {
  const ofSubagent = agent_id !== undefined && session_id === agent_id;
  return {
    agent: 'copilot',
    session: ofSubagent ? (parent_agent_id ?? session_id) : session_id,
    cwd,
    actorType: agent_type ?? (agent_id === undefined ? undefined : 'subagent'),
    actorId: agent_id,
    canAsk: false,
  };
}

/** Calls have no ids, and tools have other names in the event stream than in hooks. */
export function copilotActionId(input: unknown): string {
  return contentId('', input);
}

/** Tools that only send text, or show the model something of Copilot itself. */
const TALKING: readonly string[] = [
  ...['report_intent', 'update_todo', 'ask_user', 'exit_plan_mode', 'task_complete', 'skill', 'sql'],
  ...['read_bash', 'stop_bash', 'list_bash', 'read_agent', 'list_agents', 'write_agent', 'stop_agent'],
  ...['fetch_copilot_cli_documentation', 'TodoWrite', 'AskUserQuestion', 'ExitPlanMode', 'Skill'],
];

const READING: readonly string[] = ['Read', 'view'];
const SEARCHING: readonly string[] = ['Glob', 'Grep', 'glob', 'grep', 'rg'];
const SPAWNING: readonly string[] = ['Agent', 'Task', 'task'];
const RUNNING: readonly string[] = ['Bash', 'bash', 'PowerShell', 'powershell'];
const TYPING: readonly string[] = ['write_bash', 'write_powershell'];
const WRITING: readonly string[] = ['Write', 'create'];
const REPLACING: readonly string[] = ['Edit', 'edit'];

/** A tool with unexpected input is judged by the paths in it, or refused if it would act. */
function readTool(name: string, input: unknown): ToolRequest {
  return knownTool(name, input) ?? { kind: 'tool', name, input };
}

function knownTool(name: string, input: unknown): ToolRequest | undefined {
  if (TALKING.includes(name)) return { kind: 'tool', name, input, talks: true };
  if (name === 'apply_patch') return patchRequest(patchText(input));
  // It becomes an instruction for later sessions.
  if (name === 'store_memory') return { kind: 'change', paths: [join(homedir(), '.copilot/settings.json')] };
  // It writes an extension, which Copilot CLI runs.
  if (name === 'extensions_manage') return { kind: 'change', paths: ['.github/extensions'] };
  if (SPAWNING.includes(name)) return isSpawn(input) ? { kind: 'spawn', type: input.agent_type } : undefined;
  if (READING.includes(name))
    return isView(input)
      ? { kind: 'read', paths: [input.path], whole: input.view_range === undefined }
      : undefined;
  if (SEARCHING.includes(name))
    return isSearch(input) ? { kind: 'read', paths: searched(input), whole: false } : undefined;
  // Tools of MCP servers are separate programs.
  if (isMcpTool(name)) return undefined;
  return editOrCommand(name, input);
}

/** By its name where that is known: Copilot CLI ignores further fields, which could belong to another tool. */
function editOrCommand(name: string, input: unknown): ToolRequest | undefined {
  if (RUNNING.includes(name)) return commandOf(input) ?? unreadTool(name, input);
  if (TYPING.includes(name)) return typedOf(input) ?? unreadTool(name, input);
  if (WRITING.includes(name)) return writeOf(input) ?? changeOf(input) ?? unreadTool(name, input);
  if (REPLACING.includes(name))
    return replaceOf(input) ?? changeOf(input) ?? patchOf(input) ?? unreadTool(name, input);
  // Names depend on the model and on the version.
  const edit = writeOf(input) ?? replaceOf(input) ?? (isInsert(input) ? changeOf(input) : undefined);
  const found = [edit, typedOf(input), commandOf(input)].filter((one) => one !== undefined);
  if (found.length > 1) return unreadTool(name, input, 'it matches several tools');
  return found[0];
}

function commandOf(input: unknown): ToolRequest | undefined {
  if (!isCommand(input)) return undefined;
  const background = own(input, 'mode') === 'async' || isOn(own(input, 'detach'));
  return { kind: 'command', command: input.command, background, typable: true };
}

/** Typed into a command that runs. */
function typedOf(input: unknown): ToolRequest | undefined {
  return isTyped(input)
    ? { kind: 'command', command: input.input, background: false, typable: true }
    : undefined;
}

function writeOf(input: unknown): ToolRequest | undefined {
  return isWrite(input) ? { kind: 'write', path: input.path, content: input.file_text } : undefined;
}

function replaceOf(input: unknown): ToolRequest | undefined {
  if (!isReplace(input)) return undefined;
  const { path, old_str, new_str } = input;
  return { kind: 'replace', path, replacements: [{ old: old_str, new: new_str, all: false }] };
}

/** An edit whose result is not known. */
function changeOf(input: unknown): ToolRequest | undefined {
  return isFile(input) ? { kind: 'change', paths: [input.path] } : undefined;
}

function searched(input: object): string[] {
  const places = [own(input, 'paths'), own(input, 'path')].flat().filter(isText);
  return places.length === 0 ? ['.'] : places;
}

/** In hooks, `mcp__server__tool`; in the event stream, `server-tool`. */
function isMcpTool(name: string): boolean {
  return name.startsWith('mcp__') || name.includes('-');
}

/** Hooks name this tool like the edit tool. */
function patchOf(input: unknown): ToolRequest | undefined {
  const text = patchText(input);
  return text === undefined ? undefined : patchRequest(text);
}

function patchText(input: unknown): string | undefined {
  if (isText(input)) return input;
  if (isPatch(input)) return input.input;
  return isPatchText(input) ? input.patch : undefined;
}

/** Events that a hook can block. A person's prompt is missing on purpose: it is never refused. */
const CAN_STOP: readonly string[] = ['PreToolUse', 'Stop', 'SubagentStop'];

export function copilotCanBeStopped(eventName: string): boolean {
  return CAN_STOP.includes(eventName);
}

export function writeCopilotAnswer(event: HookEvent, answer: HookAnswer): Record<string, unknown> {
  if (event.type !== 'stopping' || answer.decision === 'go') return writeToolUseAnswer(event, answer);
  return writeToolUseAnswer(event, { ...answer, reason: `${OWN_PROMPT}${reasonOf(answer)}` });
}
