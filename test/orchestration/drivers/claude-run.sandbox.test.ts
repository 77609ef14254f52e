import type { SDKMessage } from '@anthropic-ai/claude-agent-sdk';
import { expect, it } from 'vitest';
import { ClaudeRun } from '../../../src/orchestration/drivers/claude-run.ts';

/** A run that sees these messages, as some version of the program may send them. */
function see(messages: readonly Record<string, unknown>[], resumed = false) {
  const activity: string[] = [];
  const run = new ClaudeRun({ onActivity: (line) => activity.push(line), resumed });
  for (const message of messages) run.see(message as unknown as SDKMessage);
  return { run, activity, end: run.end({ bySchema: true, failure: '' }) };
}

const usage = {
  inputTokens: 5,
  outputTokens: 3,
  cacheReadInputTokens: 2,
  cacheCreationInputTokens: 1,
  costUSD: 0.5,
};
const success = {
  type: 'result',
  subtype: 'success',
  is_error: false,
  structured_output: { a: 1 },
  modelUsage: { m: usage },
};

function assistant(id: string, input_tokens: number, content: unknown[] = []) {
  return { type: 'assistant', message: { id, content, usage: { input_tokens, output_tokens: 1 } } };
}

it('counts all models and cached tokens', () => {
  const { run, end } = see([{ ...success, modelUsage: { one: usage, two: usage } }]);
  expect(end).toEqual({ type: 'answered', answer: { a: 1 } });
  expect(run.usage).toEqual({ inputTokens: 16, outputTokens: 6, costUsd: 1 });
});

it('counts only new usage of a resumed session, without a cost if only the total is known', () => {
  const total = { m: { ...usage, inputTokens: 500, costUSD: 50 } };
  const newer = { ...success, modelUsage: total, model_usage_since_last_result: { m: usage } };
  expect(see([newer], true).run.usage).toEqual({ inputTokens: 8, outputTokens: 3, costUsd: 0.5 });
  const older = [assistant('1', 7), { ...success, modelUsage: total }];
  expect(see(older, true).run.usage).toEqual({ inputTokens: 7, outputTokens: 1, costUsd: null });
});

it('counts each message of a cut-off run once, without a cost', () => {
  const { run, end } = see([assistant('1', 10), assistant('1', 10), assistant('2', 20)]);
  expect(end).toEqual({ type: 'crashed', why: expect.any(String) });
  expect(run.usage).toEqual({ inputTokens: 30, outputTokens: 2, costUsd: null });
});

it('invalid usage counts as zero', () => {
  const odd = {
    ...success,
    modelUsage: { m: { inputTokens: -5, outputTokens: 'many', costUSD: Number.NaN } },
  };
  expect(see([odd]).run.usage).toEqual({ inputTokens: 0, outputTokens: 0, costUsd: 0 });
});

it('a success with is_error set is not an answer', () => {
  expect(see([{ ...success, is_error: true, result: 'API Error' }]).end).toEqual({
    type: 'crashed',
    why: 'API Error',
  });
});

it('an unreadable result is ignored', () => {
  expect(see([{ type: 'result', subtype: 7 }]).end.type).toBe('crashed');
});

it('a warning about a limit is not a limit', () => {
  const warning = { type: 'rate_limit_event', rate_limit_info: { status: 'allowed_warning', resetsAt: 5 } };
  expect(see([warning, success]).end.type).toBe('answered');
  expect(see([warning, { ...success, is_error: true, result: 'broken' }]).end.type).toBe('crashed');
});

it('reaching the turn limit is not an answer', () => {
  const result = { type: 'result', subtype: 'error_max_turns', is_error: true, errors: ['Reached maximum'] };
  expect(see([result]).end).toEqual({ type: 'unanswered', why: 'Reached maximum' });
});

it('gives up on an account only after repeated rejections', () => {
  const retry = (attempt: number, error: string) => ({
    type: 'system',
    subtype: 'api_retry',
    attempt,
    error,
  });
  expect(see([retry(1, 'authentication_failed')]).run.hopeless).toBeUndefined();
  expect(see([retry(9, 'overloaded')]).run.hopeless).toBeUndefined();
  expect(see([retry(3, 'authentication_failed')]).run.hopeless).toEqual(expect.any(String));
});

it('a missing login is distinguished from a crash', () => {
  const result = { ...success, is_error: true, result: 'Not logged in · Please run /login' };
  const refused = (error: string) => [{ ...assistant('1', 0), error }, result];
  expect(see(refused('authentication_failed')).end).toEqual({
    type: 'locked_out',
    why: 'Not logged in · Please run /login',
  });
  expect(see(refused('server_error')).end).toMatchObject({ type: 'crashed' });
  // It was renewed meanwhile.
  expect(
    see([...refused('authentication_failed').slice(0, 1), assistant('2', 5), success]).end,
  ).toMatchObject({
    type: 'answered',
  });
});

it('an activity line contains no control characters', () => {
  const command = `echo \u001b[2J\u202e\nrm ${'x'.repeat(1000)}`;
  const { activity } = see([assistant('1', 1, [{ type: 'tool_use', name: 'Bash', input: { command } }])]);
  expect(activity).toHaveLength(1);
  expect(activity[0]).toMatch(/^Bash echo \[2J rm x+…$/);
});
