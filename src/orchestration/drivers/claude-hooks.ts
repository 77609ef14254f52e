import type {
  HookCallbackMatcher,
  HookEvent,
  HookInput,
  HookJSONOutput,
} from '@anthropic-ai/claude-agent-sdk';
import { readClaudeEvent, writeClaudeAnswer } from '../../enforcement/agents/claude.ts';
import type { HookEvent as GuardedEvent, HookSource } from '../../enforcement/hooks/hook-event.ts';
import type { AgentRequest } from './agent-driver.ts';
import { activityLine } from './agent-driver.ts';
import { isAnswer, judgeTool } from './claude-tools.ts';

type Hooks = Partial<Record<HookEvent, HookCallbackMatcher[]>>;

/** Events for the guards in addition to PreToolUse. */
const AFTER: readonly HookEvent[] = [
  'PostToolUse',
  'PostToolUseFailure',
  'PostToolBatch',
  'SubagentStart',
  'SubagentStop',
];

/** Generous: a slow machine must not cause a refusal. */
const TIMEOUT_SECONDS = 300;

type BeforeTool = Extract<HookInput, { hook_event_name: 'PreToolUse' }>;

/** The in-process hooks of a run: the role's permissions, then the guards. */
export function claudeHooks(request: AgentRequest): Hooks {
  const run = new HookedRun(request);
  const matcher: HookCallbackMatcher = {
    onFailure: 'block',
    timeout: TIMEOUT_SECONDS,
    hooks: [(input) => run.handle(input)],
  };
  // An answer by schema ends the run regardless of a Stop hook, so it is checked in PreToolUse.
  const stop: readonly HookEvent[] = request.answerSchema ? [] : ['Stop'];
  const events: readonly HookEvent[] = request.guards ? ['PreToolUse', ...AFTER, ...stop] : ['PreToolUse'];
  return Object.fromEntries(events.map((event) => [event, [matcher]]));
}

class HookedRun {
  readonly #request: AgentRequest;
  /** It has tried to answer before. */
  #answered = false;

  constructor(request: AgentRequest) {
    this.#request = request;
  }

  /** Never throws: an error refuses the action. */
  async handle(input: HookInput): Promise<HookJSONOutput> {
    const isBefore = input.hook_event_name === 'PreToolUse';
    try {
      return isBefore ? await this.#judge(input) : await follow(input, this.#request);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      const why = `GuardKit could not judge this action, so it is refused: ${message}`;
      if (isBefore) return this.#deny(why);
      this.#request.onActivity(activityLine('refused:', why));
      // Blocking a stop would keep the agent running without anything it may do.
      return input.hook_event_name === 'PostToolBatch' ? { decision: 'block', reason: why } : {};
    }
  }

  /** Always allows or denies: no person can be asked. */
  async #judge(input: BeforeTool): Promise<HookJSONOutput> {
    const { guards } = this.#request;
    const judged = judgeTool(input.tool_name, input.tool_input, this.#request);
    if (!guards) return judged.ok ? allow() : this.#deny(judged.why);
    const event = readEvent(input);
    if (event.type !== 'acting') throw new Error('not an action');
    const {
      decision,
      reason = '',
      context,
    } = await guards.handle(isAnswer(input.tool_name) ? this.#stopping(event.source) : event);
    if (decision !== 'go') return this.#deny(reason);
    if (judged.ok) return allow(context);
    await guards.refuse(event, judged.why);
    return this.#deny(judged.why);
  }

  #stopping(source: HookSource): GuardedEvent {
    const again = this.#answered;
    this.#answered = true;
    return { type: 'stopping', source, of: 'session', again, said: '' };
  }

  #deny(why: string): HookJSONOutput {
    this.#request.onActivity(activityLine('refused:', why));
    return {
      hookSpecificOutput: {
        hookEventName: 'PreToolUse',
        permissionDecision: 'deny',
        permissionDecisionReason: why,
      },
    };
  }
}

function allow(context?: string): HookJSONOutput {
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
  // An empty environment: no person can be asked.
  const event = readClaudeEvent(input, {});
  if (!event) throw new Error('invalid hook input from Claude Code');
  return event;
}
