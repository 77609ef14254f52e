import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readOpencodeEvent } from '../../../../src/enforcement/agents/opencode.ts';
import type { StreamEvent } from '../../../../src/orchestration/drivers/cli/cli-agent.ts';
import { CallMatcher } from '../../../../src/orchestration/drivers/cli/cli-run.ts';
import { opencodeAgent } from '../../../../src/orchestration/drivers/cli/opencode.ts';

const RECORDED = readFileSync(new URL('recorded/opencode-1.18.18.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as object);
const PAYLOADS: object[] = JSON.parse(
  readFileSync(
    new URL('../../../enforcement/agents/recorded/opencode-1.18.18.json', import.meta.url),
    'utf8',
  ),
);

function read(events: readonly object[]): StreamEvent[] {
  const reader = opencodeAgent().newReader();
  return events.flatMap((event) => reader(event));
}

const calls = (events: readonly object[]) =>
  read(events).flatMap((event) => (event.type === 'called' ? [event.call] : []));

/** The plugin's reports of the same run. */
function matcher(except?: string): CallMatcher {
  const found = new CallMatcher();
  for (const payload of PAYLOADS) {
    const event = readOpencodeEvent(payload);
    if (event?.type === 'acting' && event.tool !== except)
      found.allow({ id: event.action, tool: event.tool, request: event.request, cwd: event.source.cwd });
  }
  return found;
}

describe('the recorded event stream of OpenCode', () => {
  it('matches the plugin’s reports of the same run, call by call', () => {
    expect(calls(RECORDED)).toHaveLength(10);
    const hooks = matcher();
    expect(calls(RECORDED).filter((call) => !hooks.match(call))).toEqual([]);
    const fewer = matcher('write');
    const missing = calls(RECORDED).filter((call) => !fewer.match(call));
    expect(missing.map(({ what }) => what.split(' ')[0])).toEqual(['write']);
  });

  it('contains the session, the last message, tokens and cost', () => {
    const events = read(RECORDED);
    expect(events.filter(({ type }) => type === 'session')).toEqual([
      { type: 'session', id: 'ses_e1a54e415ffeByBsSmk9TBdrau' },
    ]);
    expect(events.findLast(({ type }) => type === 'said')).toEqual({ type: 'said', text: 'All done.' });
    expect(events.findLast(({ type }) => type === 'used')).toEqual({
      type: 'used',
      tokens: { input: 1200, cached: 1000, output: 34 },
      costUsd: 0.000368,
      total: false,
    });
  });
});

describe('an event stream of OpenCode', () => {
  const use = (status: string, more = {}) => ({
    type: 'tool_use',
    part: { id: 'p', tool: 'bash', callID: 'c', state: { status, input: { command: 'ls' } }, ...more },
  });
  const action = {
    id: 'c',
    tool: 'bash',
    request: { kind: 'command' as const, command: 'ls', background: false },
    cwd: '/p',
  };

  it('lets a refused action be a call that failed, but not one that ran', () => {
    const matches = (event: object) => {
      const hooks = new CallMatcher();
      hooks.refuse(action);
      return calls([event]).map((call) => hooks.match(call));
    };
    expect(matches(use('error'))).toEqual([true]);
    expect(matches(use('completed'))).toEqual([false]);
  });

  it.each([
    use('error'),
    use('completed'),
    { type: 'tool_use' },
    { type: 'tool_use', part: { tool: 'bash' } },
  ])('needs a report of the plugin for %j', (event) => {
    expect(calls([event]).map((call) => new CallMatcher().match(call))).toEqual([false]);
  });

  it('shows what kind of failure ended the run', () => {
    const { explain } = opencodeAgent();
    const why = (error: object) => {
      const [failed] = read([{ type: 'error', error }]);
      return failed?.type === 'failed' ? explain(failed.why, 1) : 'not a failure';
    };
    expect(why({ name: 'APIError', data: { statusCode: 401 } })).toBe('locked_out');
    expect(why({ name: 'ProviderAuthError', data: {} })).toBe('locked_out');
    expect(why({ name: 'APIError', data: { statusCode: 429 } })).toBe('rate_limited');
    expect(why({ name: 'APIError', data: { statusCode: 400 } })).toBeUndefined();
    expect(explain('\u001b[91m\u001b[1mError: \u001b[0mSession not found', 1)).toBe('session_gone');
    expect(explain('something else', 1)).toBeUndefined();
  });
});
