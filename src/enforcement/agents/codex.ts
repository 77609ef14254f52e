import { createHash } from 'node:crypto';
import { type Fits, isFlag, isShape, isText, orNothing } from '../../domain/json/plain-shape.ts';
import type { HookEvent, HookSource, ToolRequest } from '../hooks/hook-event.ts';
import { beginsFresh, isToolUse, maybeText, SESSION_FIELDS } from './payload-shapes.ts';
import { patchRequest, unreadTool } from './shared-answers.ts';

/** The hook protocol of OpenAI's Codex CLI: its payloads, tool names and answers. */

const isPayload = isShape(SESSION_FIELDS);

type Payload = typeof isPayload extends Fits<infer Value> ? Value : never;

const isStop = isShape({
  stop_hook_active: orNothing(isFlag),
  last_assistant_message: (value: unknown): value is string | null | undefined =>
    value === null || maybeText(value),
});
const isPrompt = isShape({ prompt: isText });
const isCommand = isShape({ command: isText });
const isImage = isShape({ path: isText });
const isSpawn = isShape({ agent_type: maybeText });

/** Undefined if this is not a payload of Codex. */
export function readCodexEvent(payload: unknown): HookEvent | undefined {
  if (!isPayload(payload)) return undefined;
  const event = payload;
  const source = readSource(event);
  switch (event.hook_event_name) {
    case 'SessionStart':
      return { type: 'session-began', source, fresh: beginsFresh(event) };
    case 'SessionEnd':
      return { type: 'session-ended', source };
    case 'UserPromptSubmit':
      // An agent's messages to another agent do not fire this event.
      return isPrompt(event) ? { type: 'prompted', source, text: event.prompt, byPerson: true } : undefined;
    case 'PreToolUse': {
      if (!isToolUse(event)) return undefined;
      const { tool_name, tool_input, tool_use_id } = event;
      const request = readTool(tool_name, tool_input);
      return { type: 'acting', source, action: tool_use_id, tool: tool_name, request };
    }
    case 'PostToolUse': {
      if (!isToolUse(event)) return undefined;
      const request = readTool(event.tool_name, event.tool_input);
      return {
        type: 'acted',
        source,
        action: event.tool_use_id,
        tookMs: undefined,
        // Agents run beside the one that starts them.
        spawned:
          request.kind === 'spawn' ? { type: request.type, failure: undefined, background: true } : undefined,
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
      };
    }
    default:
      return { type: 'other', source, name: event.hook_event_name };
  }
}

function readSource({ session_id, cwd, agent_id, agent_type }: Payload): HookSource {
  return {
    agent: 'codex',
    session: session_id,
    cwd,
    actorType: agent_type,
    actorId: agent_id,
    // A hook's "ask" does not stop Codex.
    canAsk: false,
  };
}

/** Codex joins the namespace of its tools for subagents with their names. */
const COLLABORATION = 'collaboration';

/** Tools of Codex that only send text. */
const TALKING: readonly string[] = [
  'update_plan',
  'request_user_input',
  'get_goal',
  'create_goal',
  'update_goal',
];

/** A tool with unexpected input is judged by the paths in it. */
function readTool(name: string, input: unknown): ToolRequest {
  return knownTool(name, input) ?? { kind: 'tool', name, input };
}

function knownTool(name: string, input: unknown): ToolRequest | undefined {
  if (name.startsWith('mcp__')) return undefined;
  if (name === 'apply_patch') return patchRequest(isCommand(input) ? input.command : undefined);
  if (name === 'view_image')
    return isImage(input) ? { kind: 'read', paths: [input.path], whole: true } : undefined;
  if (name === `${COLLABORATION}spawn_agent` || name === 'spawn_agent')
    return isSpawn(input) ? { kind: 'spawn', type: input.agent_type ?? 'default' } : undefined;
  if (TALKING.includes(name) || name.startsWith(COLLABORATION))
    return { kind: 'tool', name, input, talks: true };
  // `write_stdin` has no hook, so the agent can type into every command.
  if (isCommand(input)) return { kind: 'command', command: input.command, background: false, typable: true };
  return name === 'Bash' ? unreadTool(name, input) : undefined;
}

/** Events that a hook can block. A person's prompt is missing on purpose: it is never refused. */
const CAN_STOP: readonly string[] = ['PreToolUse', 'Stop', 'SubagentStop'];

export function codexCanBeStopped(eventName: string): boolean {
  return CAN_STOP.includes(eventName);
}

/** A hook as Codex identifies it for the person's trust. */
export interface TrustedHook {
  event: string;
  command: string;
  /** Seconds. */
  timeout: number;
}

/**
 * The entries of Codex's `config.toml` that trust the hooks of a file with one group per event. Only for folders that
 * GuardKit makes itself: whether to trust hooks in a person's own folder is the person's decision.
 */
export function codexTrust(hooksFile: string, hooks: readonly TrustedHook[]): string {
  return hooks
    .map(({ event, command, timeout }) => {
      const name = event.replace(/(?!^)([A-Z])/g, '_$1').toLowerCase();
      // Keys in alphabetical order, without spaces.
      const definition = JSON.stringify({
        event_name: name,
        hooks: [{ async: false, command, timeout, type: 'command' }],
      });
      const hash = createHash('sha256').update(definition).digest('hex');
      return `[hooks.state.${JSON.stringify(`${hooksFile}:${name}:0:0`)}]\ntrusted_hash = "sha256:${hash}"\n`;
    })
    .join('');
}
