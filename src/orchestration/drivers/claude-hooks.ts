import type {
  HookCallbackMatcher,
  HookEvent,
  HookInput,
  HookJSONOutput,
} from '@anthropic-ai/claude-agent-sdk';
import { readClaudeEvent, writeClaudeAnswer } from '../../enforcement/agents/claude.ts';
import { activityLine } from './activity-line.ts';
import type { AgentRequest } from './agent-driver.ts';
import { isAnswer, judgeTool } from './claude-tools.ts';

type Hooks = Partial<Record<HookEvent, HookCallbackMatcher[]>>;

/** What the guards hear of beside the actions that are about to happen. */
const AFTER: readonly HookEvent[] = [
  'PostToolUse',
  'PostToolUseFailure',
  'PostToolBatch',
  'SubagentStart',
  'SubagentStop',
  'Stop',
];

/** A machine at its limit must not refuse an agent what it may do. */
const TIMEOUT_SECONDS = 300;

/** The hooks of a run: what its role may do at all, and the guards on top, in this process. */
export function claudeHooks(request: AgentRequest): Hooks {
  const matchers = [
    {
      onFailure: 'block' as const,
      timeout: TIMEOUT_SECONDS,
      hooks: [(input: HookInput) => hear(input, request)],
    },
  ];
  const events = request.guards ? ['PreToolUse' as const, ...AFTER] : ['PreToolUse' as const];
  return Object.fromEntries(events.map((event) => [event, matchers]));
}

/** Never throws: what goes wrong refuses the action at hand. */
async function hear(input: HookInput, request: AgentRequest): Promise<HookJSONOutput> {
  try {
    return input.hook_event_name === 'PreToolUse'
      ? await judge(input, request)
      : await follow(input, request);
  } catch (error) {
    const why = `GuardKit could not judge this, so it is refused: ${error instanceof Error ? error.message : String(error)}`;
    request.onActivity(activityLine('refused:', why));
    if (input.hook_event_name === 'PreToolUse') return deny(why);
    // Kept from stopping, it would only go on without anything that it may do.
    return input.hook_event_name === 'PostToolBatch' ? { decision: 'block', reason: why } : {};
  }
}

/** Says yes as well as no: nobody is there to be asked. */
async function judge(
  input: Extract<HookInput, { hook_event_name: 'PreToolUse' }>,
  request: AgentRequest,
): Promise<HookJSONOutput> {
  const { guards } = request;
  if (!guards || isAnswer(input.tool_name)) return judgeByRole(input, request);
  const event = readEvent(input);
  if (event.type !== 'acting') throw new Error('it is no action');
  const { decision, reason = '', context } = await guards.handle(event);
  if (decision !== 'go') {
    request.onActivity(activityLine('refused:', reason));
    return deny(reason);
  }
  const judged = judgeTool(input.tool_name, input.tool_input, request);
  if (!judged.ok) await guards.refuse(event, judged.why);
  return judgeByRole(input, request, context);
}

function judgeByRole(
  { tool_name, tool_input }: Extract<HookInput, { hook_event_name: 'PreToolUse' }>,
  request: AgentRequest,
  context?: string,
): HookJSONOutput {
  const judged = judgeTool(tool_name, tool_input, request);
  if (!judged.ok) {
    request.onActivity(activityLine('refused:', judged.why));
    return deny(judged.why);
  }
  return {
    hookSpecificOutput: {
      hookEventName: 'PreToolUse',
      permissionDecision: 'allow',
      ...(context === undefined ? {} : { additionalContext: context }),
    },
  };
}

async function follow(input: HookInput, { guards, onActivity }: AgentRequest): Promise<HookJSONOutput> {
  if (!guards) return {};
  const event = readEvent(input);
  const answer = await guards.handle(event);
  if (answer.decision !== 'go') onActivity(activityLine('told:', answer.reason));
  return writeClaudeAnswer(event, answer);
}

function readEvent(input: HookInput) {
  // Without a word of an environment in which somebody could be asked.
  const event = readClaudeEvent(input, {});
  if (!event) throw new Error('what Claude Code told cannot be read');
  return event;
}

function deny(why: string): HookJSONOutput {
  return {
    hookSpecificOutput: {
      hookEventName: 'PreToolUse',
      permissionDecision: 'deny',
      permissionDecisionReason: why,
    },
  };
}
