import { resolve } from 'node:path';
import {
  type Fits,
  isAnything,
  isFlag,
  isNumber,
  isObject,
  isShape,
  isText,
  isTextOf,
  orNothing,
} from '../../domain/json/plain-shape.ts';
import type { HookAnswer, HookEvent, HookSource, ToolRequest } from '../hooks/hook-event.ts';
import { maybeText } from './payload-shapes.ts';
import {
  isSoundDenial,
  OWN_PROMPT,
  patchRequest,
  reasonOf,
  unclearEdit,
  unreadTool,
} from './shared-answers.ts';

/** The protocol of GuardKit's plugin for OpenCode (`opencode-plugin.ts`), with OpenCode's tool names and arguments. */

const isPayload = isShape({
  hook: isTextOf(1, 40),
  session: isTextOf(1, 200),
  directory: isTextOf(1),
  /** Of a subagent. */
  child: orNothing(isShape({ id: isTextOf(1, 200), agent: maybeText })),
});

type Payload = typeof isPayload extends Fits<infer Value> ? Value : never;

const isCall = isShape({ tool: isTextOf(1), call: isTextOf(1), args: isAnything });
const isFailed = isShape({ error: isText });
const isPrompt = isShape({ text: isText });
const isStop = isShape({ again: isFlag, said: isText });

const isCommand = isShape({ command: isText, workdir: maybeText });
const isWrite = isShape({ filePath: isText, content: isText });
const isEdit = isShape({
  filePath: isText,
  oldString: isText,
  newString: isText,
  replaceAll: orNothing(isFlag),
});
const isPatch = isShape({ patchText: isText });
const isRead = isShape({ filePath: isText, offset: orNothing(isNumber), limit: orNothing(isNumber) });
const isSearch = isShape({ path: maybeText });
const isSpawn = isShape({ subagent_type: isText, background: orNothing(isFlag) });

/** Undefined if the plugin did not send this. */
export function readOpencodeEvent(payload: unknown): HookEvent | undefined {
  if (!isPayload(payload)) return undefined;
  const source = readSource(payload);
  switch (payload.hook) {
    case 'session':
      return { type: 'session-began', source, fresh: true };
    case 'subagent':
      return { type: 'subagent-began', source };
    case 'end':
      return { type: 'session-ended', source };
    case 'prompt':
      return isPrompt(payload)
        ? { type: 'prompted', source, text: payload.text, byPerson: !payload.text.startsWith(OWN_PROMPT) }
        : undefined;
    case 'before': {
      if (!isCall(payload)) return undefined;
      const { tool, call: action, args } = payload;
      // A command may run in another folder.
      const cwd = tool === 'bash' && isCommand(args) ? resolve(source.cwd, args.workdir ?? '.') : source.cwd;
      return { type: 'acting', source: { ...source, cwd }, action, tool, request: readTool(tool, args) };
    }
    case 'after': {
      if (!isCall(payload)) return undefined;
      const { tool, call: action, args } = payload;
      const failure = isFailed(payload) ? payload.error : undefined;
      return {
        type: 'acted',
        source,
        action,
        tookMs: undefined,
        spawned:
          tool === 'task' && isSpawn(args)
            ? { type: args.subagent_type, failure, background: args.background ?? false }
            : undefined,
        ...(failure === undefined ? {} : { failure }),
      };
    }
    case 'stop':
      return isStop(payload)
        ? { type: 'stopping', source, of: 'session', again: payload.again, said: payload.said }
        : undefined;
    default:
      return { type: 'other', source, name: payload.hook };
  }
}

function readSource({ session, directory, child }: Payload): HookSource {
  return {
    agent: 'opencode',
    session,
    cwd: directory,
    actorType: child && (child.agent ?? 'subagent'),
    actorId: child?.id,
    canAsk: false,
  };
}

/** Tools that only send text, or show the model something of OpenCode itself. */
const TALKING: readonly string[] = ['todowrite', 'todoread', 'question', 'invalid', 'plan_exit', 'skill'];

/** A tool with unexpected input is judged by the paths in it. */
function readTool(name: string, input: unknown): ToolRequest {
  return knownTool(name, input) ?? { kind: 'tool', name, input };
}

function knownTool(name: string, input: unknown): ToolRequest | undefined {
  switch (name) {
    case 'bash':
      return isCommand(input)
        ? { kind: 'command', command: input.command, background: false }
        : unreadTool(name, input);
    case 'write':
      return isWrite(input)
        ? { kind: 'write', path: input.filePath, content: input.content }
        : unclearEdit(name, input, 'filePath');
    case 'edit': {
      if (!isEdit(input)) return unclearEdit(name, input, 'filePath');
      const { filePath: path, oldString, newString, replaceAll: all = false } = input;
      return { kind: 'replace', path, replacements: [{ old: oldString, new: newString, all }] };
    }
    case 'apply_patch':
      return patchRequest(isPatch(input) ? input.patchText : undefined);
    case 'read':
      if (!isRead(input)) return undefined;
      return {
        kind: 'read',
        paths: [input.filePath],
        whole: input.offset === undefined && input.limit === undefined,
      };
    case 'list':
    case 'glob':
    case 'grep':
      return isSearch(input) ? { kind: 'read', paths: [input.path ?? '.'], whole: false } : undefined;
    case 'task':
      return isSpawn(input) ? { kind: 'spawn', type: input.subagent_type } : undefined;
    default:
      return TALKING.includes(name) ? { kind: 'tool', name, input, talks: true } : undefined;
  }
}

/** Events that the plugin can block. A person's prompt is missing on purpose: it is never refused. */
const CAN_STOP: readonly string[] = ['before', 'stop'];

export function opencodeCanBeStopped(hook: string): boolean {
  return CAN_STOP.includes(hook);
}

/** The answer as the plugin reads it. A question becomes a refusal: plugins cannot ask. */
export function writeOpencodeAnswer(_event: HookEvent, answer: HookAnswer): Record<string, unknown> {
  const { decision, context, notice } = answer;
  const reason = reasonOf(answer);
  return {
    ...(decision === 'go' ? {} : { decision: 'deny', reason }),
    ...(context === undefined ? {} : { context }),
    ...(notice === undefined ? {} : { systemMessage: notice }),
  };
}

const FIELDS: readonly string[] = ['decision', 'reason', 'context', 'systemMessage'];

/** Whether the plugin understands an answer. */
export function isOpencodeAnswer(answer: Record<string, unknown>): boolean {
  return (
    isObject(answer) &&
    Object.entries(answer).every(([name, value]) => FIELDS.includes(name) && isText(value)) &&
    isSoundDenial(answer)
  );
}
