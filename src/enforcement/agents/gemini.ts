import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import {
  type Fits,
  isFlag,
  isObject,
  isShape,
  isText,
  isTextOf,
  orNothing,
} from '../../domain/json/plain-shape.ts';
import type { HookAnswer, HookEvent, HookSource, ToolRequest } from '../hooks/hook-event.ts';
import { sharedTool } from './gemini-tools.ts';
import { beginsFresh, contentId, isToolCall, maybeText, SESSION_FIELDS } from './payload-shapes.ts';
import { isSoundDenial, OWN_PROMPT, reasonOf, unreadTool } from './shared-answers.ts';

/** The hook protocol of Google's Gemini CLI: its payloads, tool names and answers. */

const isPayload = isShape(SESSION_FIELDS);

type Payload = typeof isPayload extends Fits<infer Value> ? Value : never;

const isPrompt = isShape({ prompt: isText });
const isStop = isShape({ stop_hook_active: orNothing(isFlag), prompt_response: maybeText });

const isSpawn = isShape({ agent_name: maybeText });
const isPlaced = isShape({ dir_path: isTextOf(1) });

/** Undefined if this is not a payload of Gemini CLI. */
export function readGeminiEvent(payload: unknown): HookEvent | undefined {
  if (!isPayload(payload)) return undefined;
  const event = payload;
  const source = readSource(event);
  switch (event.hook_event_name) {
    case 'SessionStart':
      return { type: 'session-began', source, fresh: beginsFresh(event) };
    case 'SessionEnd':
      return { type: 'session-ended', source };
    case 'BeforeAgent':
      return isPrompt(event) ? readPrompt(event.prompt, source) : undefined;
    case 'BeforeTool': {
      if (!isToolCall(event)) return undefined;
      const { tool_name: tool, tool_input: input } = event;
      const request = readTool(tool, input);
      // A command may run in another folder.
      const at =
        request.kind === 'command' && isPlaced(input) ? resolve(source.cwd, input.dir_path) : source.cwd;
      return {
        type: 'acting',
        source: { ...source, cwd: at },
        action: contentId(tool, input),
        tool,
        request,
      };
    }
    case 'AfterTool': {
      if (!isToolCall(event)) return undefined;
      const { tool_name: tool, tool_input: input } = event;
      const request = readTool(tool, input);
      return {
        type: 'acted',
        source,
        action: contentId(tool, input),
        tookMs: undefined,
        spawned:
          request.kind === 'spawn'
            ? { type: request.type, failure: undefined, background: false }
            : undefined,
      };
    }
    case 'AfterAgent': {
      if (!isStop(event)) return undefined;
      const { stop_hook_active: again = false, prompt_response: said = '' } = event;
      return { type: 'stopping', source, of: 'session', again, said };
    }
    default:
      return { type: 'other', source, name: event.hook_event_name };
  }
}

function readSource({ session_id, cwd }: Payload): HookSource {
  return {
    agent: 'gemini',
    session: session_id,
    cwd,
    // Calls of subagents look like those of the session.
    actorType: undefined,
    actorId: undefined,
    canAsk: false,
  };
}

const HOOK_CONTEXT = ['<hook_context>', '</hook_context>'] as const;

/** The person's text comes after the context that hooks added. The reason for a refused stop comes as a prompt too. */
function readPrompt(prompt: string, source: HookSource): HookEvent {
  const end = prompt.startsWith(HOOK_CONTEXT[0]) ? prompt.indexOf(HOOK_CONTEXT[1]) : -1;
  const text = end < 0 ? prompt : prompt.slice(end + HOOK_CONTEXT[1].length).trimStart();
  return { type: 'prompted', source, text, byPerson: !text.startsWith(OWN_PROMPT) };
}

/** Tools that only send text, or show the model something of Gemini CLI itself. */
const TALKING: readonly string[] = [
  'write_todos',
  'ask_user',
  'enter_plan_mode',
  'exit_plan_mode',
  'complete_task',
  'activate_skill',
  'get_internal_docs',
  'update_topic',
];

/** A tool with unexpected input is judged by the paths in it. */
function readTool(name: string, input: unknown): ToolRequest {
  const request = sharedTool(name, input) ?? knownTool(name, input) ?? { kind: 'tool', name, input };
  switch (request.kind) {
    case 'write':
      return isCutShort(request.path)
        ? ambiguous(name, input)
        : { ...request, path: plainPath(request.path) };
    case 'replace':
      return isCutShort(request.path)
        ? ambiguous(name, input)
        : { ...request, path: plainPath(request.path), searches: true };
    case 'change':
      return request.paths.some(isCutShort)
        ? ambiguous(name, input)
        : { ...request, paths: request.paths.map(plainPath) };
    case 'read':
      return { ...request, paths: request.paths.map(plainPath) };
    default:
      return request;
  }
}

/** The path that Gemini CLI uses: it removes NUL characters and decodes the rest like a URL. */
function plainPath(path: string): string {
  const text = path.replaceAll('\0', '');
  try {
    return decodeURIComponent(text);
  } catch {
    // Safe: Gemini CLI uses the text in the same way then.
    return text;
  }
}

/** Gemini CLI removes `@` unless a file or folder has this name. */
function isCutShort(path: string): boolean {
  return path.replaceAll('\0', '').startsWith('@');
}

function ambiguous(name: string, input: unknown): ToolRequest {
  return unreadTool(name, input, 'a path that begins with "@" has two meanings; begin it with "./@"');
}

function knownTool(name: string, input: unknown): ToolRequest | undefined {
  switch (name) {
    case 'save_memory':
      // It becomes an instruction for all later sessions.
      return { kind: 'change', paths: [join(homedir(), '.gemini', 'settings.json')] };
    case 'invoke_agent':
      return isSpawn(input) ? { kind: 'spawn', type: input.agent_name ?? 'default' } : undefined;
    default:
      return TALKING.includes(name) ? { kind: 'tool', name, input, talks: true } : undefined;
  }
}

/** Events that a hook can block. A person's prompt is missing on purpose: it is never refused. */
const CAN_STOP: readonly string[] = ['BeforeTool', 'AfterAgent'];

export function geminiCanBeStopped(eventName: string): boolean {
  return CAN_STOP.includes(eventName);
}

/** The answer as the JSON that a hook prints. A question becomes a refusal: hooks cannot ask. */
export function writeGeminiAnswer(event: HookEvent, answer: HookAnswer): Record<string, unknown> {
  const { decision, context, notice } = answer;
  const reason = reasonOf(answer);
  const shared = notice === undefined ? {} : { systemMessage: notice };
  const hookEventName = TAKES_CONTEXT[event.type];
  const added =
    context === undefined || hookEventName === undefined
      ? {}
      : { hookSpecificOutput: { hookEventName, additionalContext: context } };
  switch (event.type) {
    case 'acting':
    case 'acted':
      return { ...shared, ...(decision === 'go' ? {} : { decision: 'deny', reason }), ...added };
    case 'stopping':
      return {
        ...shared,
        ...(decision === 'go' ? {} : { decision: 'deny', reason: `${OWN_PROMPT}${reason}` }),
      };
    default:
      return { ...shared, ...added };
  }
}

/** Events whose answer can add context for the model. */
const TAKES_CONTEXT: Partial<Record<HookEvent['type'], string>> = {
  acted: 'AfterTool',
  'session-began': 'SessionStart',
  prompted: 'BeforeAgent',
};

const FIELDS: readonly string[] = ['systemMessage', 'decision', 'reason', 'hookSpecificOutput'];

/** Whether Gemini CLI understands an answer. */
export function isGeminiAnswer(answer: Record<string, unknown>): boolean {
  const { hookSpecificOutput: output, ...texts } = answer;
  return (
    Object.keys(answer).every((name) => FIELDS.includes(name)) &&
    Object.values(texts).every(isText) &&
    isSoundDenial(answer) &&
    (output === undefined || (isObject(output) && Object.values(output).every(isText)))
  );
}
