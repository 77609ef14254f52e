import type { SDKMessage } from '@anthropic-ai/claude-agent-sdk';
import * as z from 'zod';
import type { AgentEnd, AgentUsage } from './agent-driver.ts';
import { activityLine } from './agent-driver.ts';
import { describeInput } from './claude-tools.ts';

/** The fields used from a result. Versions differ in the optional ones. */
const resultSchema = z.object({
  subtype: z.string(),
  is_error: z.boolean(),
  result: z.string().optional(),
  errors: z.array(z.string()).optional(),
  structured_output: z.unknown().optional(),
  api_error_status: z.number().nullish(),
  num_turns: z.number().optional(),
});

type Result = z.infer<typeof resultSchema>;

const tokens = z.number().min(0).catch(0).default(0);

const modelsSchema = z.record(
  z.string(),
  z.object({
    inputTokens: tokens,
    outputTokens: tokens,
    cacheReadInputTokens: tokens,
    cacheCreationInputTokens: tokens,
    costUSD: tokens,
  }),
);

const messageUsageSchema = z.object({
  input_tokens: tokens,
  output_tokens: tokens,
  cache_read_input_tokens: tokens,
  cache_creation_input_tokens: tokens,
});

/** Errors that only a person can fix. A login that is being renewed may need a few tries. */
const HOPELESS: readonly string[] = [
  'authentication_failed',
  'oauth_org_not_allowed',
  'account_on_hold',
  'verification_required',
  'billing_error',
];

const HOPELESS_ATTEMPT = 3;
const OVERLOADED = 529;
const TOO_MANY_REQUESTS = 429;

/** One run of Claude Code, read from its messages. */
export class ClaudeRun {
  readonly #onActivity: (line: string) => void;
  readonly #resumed: boolean;
  readonly #said = new Map<string, AgentUsage>();
  #result: Result | undefined;
  #usage: AgentUsage | undefined;
  #resetsAt: number | undefined;
  #limited = false;
  #isLockedOut = false;
  session: string | undefined;
  /** Why a retry is useless. */
  hopeless: string | undefined;

  constructor({ onActivity, resumed }: { onActivity: (line: string) => void; resumed: boolean }) {
    this.#onActivity = onActivity;
    this.#resumed = resumed;
  }

  see(message: SDKMessage): void {
    switch (message.type) {
      case 'system':
        if (message.subtype === 'init') this.session = message.session_id;
        if (message.subtype === 'api_retry') this.#retried(message);
        return;
      case 'assistant':
        this.#saw(message);
        return;
      case 'rate_limit_event': {
        const { status, resetsAt } = message.rate_limit_info;
        this.#limited = status === 'rejected';
        // Seconds.
        if (this.#limited && resetsAt !== undefined) this.#resetsAt = resetsAt * 1000;
        return;
      }
      case 'result':
        this.#ended(message);
    }
  }

  get usage(): AgentUsage {
    if (this.#usage) return this.#usage;
    // Cut off before the result: sum the messages' tokens; the cost is unknown.
    const said = [...this.#said.values()];
    return {
      inputTokens: said.reduce((total, one) => total + one.inputTokens, 0),
      outputTokens: said.reduce((total, one) => total + one.outputTokens, 0),
      costUsd: null,
    };
  }

  /** The session to resume does not exist; nothing was done. */
  get sessionIsGone(): boolean {
    const { subtype, num_turns, errors = [] } = this.#result ?? {};
    return (
      this.#resumed &&
      subtype === 'error_during_execution' &&
      num_turns === 0 &&
      errors.some((error) => error.startsWith('No conversation found'))
    );
  }

  /** How the run ended, if it was not stopped. */
  end({ bySchema, failure }: { bySchema: boolean; failure: string }): AgentEnd {
    if (this.hopeless !== undefined) return { type: 'locked_out', why: this.hopeless };
    const result = this.#result;
    if (!result) return { type: 'crashed', why: failure || 'it ended without a result' };
    const why = result.errors?.join('; ') || result.result || failure || result.subtype;
    const { api_error_status: status } = result;
    if (result.is_error && (this.#limited || status === TOO_MANY_REQUESTS || status === OVERLOADED))
      return { type: 'rate_limited', why, resetsAt: this.#resetsAt };
    switch (result.subtype) {
      case 'error_max_budget_usd':
        return { type: 'over_budget', why };
      case 'error_max_structured_output_retries':
      case 'error_max_turns':
        return { type: 'unanswered', why };
    }
    if (result.is_error && this.#isLockedOut) return { type: 'locked_out', why };
    // A service error arrives with the subtype `success` and is_error set.
    if (result.is_error || result.subtype !== 'success') return { type: 'crashed', why };
    if (bySchema)
      return result.structured_output === undefined
        ? { type: 'unanswered', why: 'it ended without a structured answer' }
        : { type: 'answered', answer: result.structured_output };
    const text = result.result?.trim() ?? '';
    return text === ''
      ? { type: 'unanswered', why: 'it ended without an answer' }
      : { type: 'answered', answer: text };
  }

  #retried({ error, attempt }: { error: string; attempt: number }): void {
    this.#onActivity(activityLine('waiting:', `service error ${error}, attempt ${attempt}`));
    if (attempt >= HOPELESS_ATTEMPT && HOPELESS.includes(error))
      this.hopeless = `Claude Code cannot use its account: ${error}`;
  }

  #saw({ message, error }: Extract<SDKMessage, { type: 'assistant' }>): void {
    this.#isLockedOut = error !== undefined && HOPELESS.includes(error);
    const usage = messageUsageSchema.safeParse(message.usage).data;
    if (usage)
      this.#said.set(message.id, {
        inputTokens: usage.input_tokens + usage.cache_read_input_tokens + usage.cache_creation_input_tokens,
        outputTokens: usage.output_tokens,
        costUsd: null,
      });
    for (const block of message.content)
      if (block.type === 'tool_use')
        this.#onActivity(activityLine(block.name, describeInput(block.name, block.input)));
  }

  #ended(message: Extract<SDKMessage, { type: 'result' }>): void {
    this.#result = resultSchema.safeParse(message).data;
    // A resumed session reports its running total; only newer versions also report this run's own usage.
    const own = 'model_usage_since_last_result' in message && message.model_usage_since_last_result;
    const models = modelsSchema.safeParse(own || (this.#resumed ? undefined : message.modelUsage)).data;
    if (models) this.#usage = sum(Object.values(models));
  }
}

function sum(models: readonly z.infer<typeof modelsSchema>[string][]): AgentUsage {
  return models.reduce<AgentUsage>(
    (total, model) => ({
      inputTokens:
        total.inputTokens + model.inputTokens + model.cacheReadInputTokens + model.cacheCreationInputTokens,
      outputTokens: total.outputTokens + model.outputTokens,
      costUsd: (total.costUsd ?? 0) + model.costUSD,
    }),
    { inputTokens: 0, outputTokens: 0, costUsd: 0 },
  );
}
