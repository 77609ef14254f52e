import { createHash } from 'node:crypto';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { canonicalJson } from '../../domain/json/json.ts';
import {
  type Fits,
  isAnything,
  isFlag,
  isListOf,
  isNumber,
  isObject,
  isShape,
  isText,
  isTextOf,
  orNothing,
} from '../../domain/json/plain-shape.ts';
import type { HookAnswer, HookEvent, HookSource, ToolRequest } from '../hooks/hook-event.ts';
import { beginsFresh, maybeText, SESSION_FIELDS } from './payload-shapes.ts';
import { isSoundDenial, OWN_PROMPT, reasonOf } from './shared-answers.ts';

/** The hook protocol of Google's Gemini CLI: its payloads, tool names and answers. */

const isPayload = isShape(SESSION_FIELDS);

type Payload = typeof isPayload extends Fits<infer Value> ? Value : never;

const isTool = isShape({ tool_name: isTextOf(1), tool_input: isAnything });
const isPrompt = isShape({ prompt: isText });
const isStop = isShape({ stop_hook_active: orNothing(isFlag), prompt_response: maybeText });

const isCommand = isShape({ command: isText, is_background: orNothing(isFlag) });
const isPlaced = isShape({ dir_path: isTextOf(1) });
const isWrite = isShape({ file_path: isText, content: isText });
const isReplace = isShape({
  file_path: isText,
  old_string: isText,
  new_string: isText,
  allow_multiple: orNothing(isFlag),
  expected_replacements: orNothing(isNumber),
});
const isRead = isShape({
  file_path: isText,
  limit: orNothing(isNumber),
  start_line: orNothing(isNumber),
  end_line: orNothing(isNumber),
});
const isSearch = isShape({ dir_path: maybeText, path: maybeText });
const isReadMany = isShape({ include: isListOf(isText) });
const isSpawn = isShape({ agent_name: maybeText });

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
      if (!isTool(event)) return undefined;
      const { tool_name: tool, tool_input: input } = event;
      const request = readTool(tool, input);
      // A command may run in another folder.
      const at =
        request.kind === 'command' && isPlaced(input) ? resolve(source.cwd, input.dir_path) : source.cwd;
      return {
        type: 'acting',
        source: { ...source, cwd: at },
        action: geminiActionId(tool, input),
        tool,
        request,
      };
    }
    case 'AfterTool': {
      if (!isTool(event)) return undefined;
      const { tool_name: tool, tool_input: input } = event;
      const request = readTool(tool, input);
      return {
        type: 'acted',
        source,
        action: geminiActionId(tool, input),
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

/** Gemini CLI gives its calls no ids; before and after a call, name and input are the same. */
export function geminiActionId(tool: string, input: unknown): string {
  return createHash('sha256')
    .update(canonicalJson([tool, input ?? null]))
    .digest('hex')
    .slice(0, 32);
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
  return knownTool(name, input) ?? { kind: 'tool', name, input };
}

function knownTool(name: string, input: unknown): ToolRequest | undefined {
  switch (name) {
    case 'run_shell_command':
      if (!isCommand(input)) return undefined;
      return { kind: 'command', command: input.command, background: input.is_background ?? false };
    case 'write_file':
      return isWrite(input) ? { kind: 'write', path: input.file_path, content: input.content } : undefined;
    case 'replace': {
      if (!isReplace(input)) return undefined;
      const {
        file_path: path,
        old_string,
        new_string,
        allow_multiple = false,
        expected_replacements = 1,
      } = input;
      const all = allow_multiple || expected_replacements > 1;
      return { kind: 'replace', path, replacements: [{ old: old_string, new: new_string, all }] };
    }
    case 'read_file': {
      if (!isRead(input)) return undefined;
      const { file_path, limit, start_line, end_line } = input;
      const whole = limit === undefined && start_line === undefined && end_line === undefined;
      return { kind: 'read', paths: [file_path], whole };
    }
    case 'read_many_files':
      return isReadMany(input) ? { kind: 'read', paths: input.include, whole: true } : undefined;
    case 'list_directory':
    case 'glob':
    case 'grep_search':
    case 'search_file_content':
      return isSearch(input)
        ? { kind: 'read', paths: [input.dir_path ?? input.path ?? '.'], whole: false }
        : undefined;
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
