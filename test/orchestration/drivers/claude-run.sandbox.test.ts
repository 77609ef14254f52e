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

it('counts all models and what the cache held', () => {
  const { run, end } = see([{ ...success, modelUsage: { one: usage, two: usage } }]);
  expect(end).toEqual({ type: 'answered', answer: { a: 1 } });
  expect(run.usage).toEqual({ inputTokens: 16, outputTokens: 6, costUsd: 1 });
});

it('of a resumed session counts what is new, and tells no cost where the program tells only the sum', () => {
  const total = { m: { ...usage, inputTokens: 500, costUSD: 50 } };
  const newer = { ...success, modelUsage: total, model_usage_since_last_result: { m: usage } };
  expect(see([newer], true).run.usage).toEqual({ inputTokens: 8, outputTokens: 3, costUsd: 0.5 });
  const older = [assistant('1', 7), { ...success, modelUsage: total }];
  expect(see(older, true).run.usage).toEqual({ inputTokens: 7, outputTokens: 1, costUsd: null });
});

it('of a run that was cut off counts each message once, and tells no cost', () => {
  const { run, end } = see([assistant('1', 10), assistant('1', 10), assistant('2', 20)]);
  expect(end).toEqual({ type: 'crashed', why: expect.any(String) });
  expect(run.usage).toEqual({ inputTokens: 30, outputTokens: 2, costUsd: null });
});

it('usage that is none counts as nothing', () => {
  const odd = {
    ...success,
    modelUsage: { m: { inputTokens: -5, outputTokens: 'many', costUSD: Number.NaN } },
  };
  expect(see([odd]).run.usage).toEqual({ inputTokens: 0, outputTokens: 0, costUsd: 0 });
});

it('a success that is an error is no answer, whatever it carries', () => {
  expect(see([{ ...success, is_error: true, result: 'API Error' }]).end).toEqual({
    type: 'crashed',
    why: 'API Error',
  });
});

it('a result that cannot be read is none', () => {
  expect(see([{ type: 'result', subtype: 7 }]).end.type).toBe('crashed');
});

it('a warning of a limit is no limit', () => {
  const warning = { type: 'rate_limit_event', rate_limit_info: { status: 'allowed_warning', resetsAt: 5 } };
  expect(see([warning, success]).end.type).toBe('answered');
  expect(see([warning, { ...success, is_error: true, result: 'broken' }]).end.type).toBe('crashed');
});

it('too many questions to the model are no answer', () => {
  const result = { type: 'result', subtype: 'error_max_turns', is_error: true, errors: ['Reached maximum'] };
  expect(see([result]).end).toEqual({ type: 'unanswered', why: 'Reached maximum' });
});

it('gives up an account only when it was refused again and again', () => {
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

it('an account that nobody is logged in to is told from a crash', () => {
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

it('a line of activity holds nothing that a terminal would act on', () => {
  const command = `echo \u001b[2J\u202e\nrm ${'x'.repeat(1000)}`;
  const { activity } = see([assistant('1', 1, [{ type: 'tool_use', name: 'Bash', input: { command } }])]);
  expect(activity).toHaveLength(1);
  expect(activity[0]).toMatch(/^Bash echo \[2J rm x+…$/);
});
