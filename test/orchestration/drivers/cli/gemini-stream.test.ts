import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readGeminiEvent } from '../../../../src/enforcement/agents/gemini.ts';
import type { StreamEvent } from '../../../../src/orchestration/drivers/cli/cli-agent.ts';
import { CallMatcher } from '../../../../src/orchestration/drivers/cli/cli-run.ts';
import { geminiAgent } from '../../../../src/orchestration/drivers/cli/gemini.ts';

const LINES = readFileSync(new URL('recorded/gemini-0.61.0.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n');
const PAYLOADS: object[] = JSON.parse(
  readFileSync(new URL('../../../enforcement/agents/recorded/gemini-0.61.0.json', import.meta.url), 'utf8'),
);

function read(events: readonly object[]): StreamEvent[] {
  const reader = geminiAgent().newReader();
  return events.flatMap((event) => reader(event));
}

const recorded = () => LINES.map((line) => JSON.parse(line) as object);

/** The recorded hooks of the same run. */
function matcher(except?: string): CallMatcher {
  const found = new CallMatcher();
  for (const payload of PAYLOADS) {
    const event = readGeminiEvent(payload);
    if (event?.type === 'acting' && event.tool !== except)
      found.allow({ id: event.action, tool: event.tool, request: event.request, cwd: event.source.cwd });
  }
  return found;
}

describe('the recorded event stream of Gemini CLI', () => {
  it('matches the recorded hooks of the same run, call by call', () => {
    const calls = read(recorded()).flatMap((event) => (event.type === 'called' ? [event.call] : []));
    expect(calls).toHaveLength(11);
    const hooks = matcher();
    expect(calls.filter((call) => !hooks.match(call))).toEqual([]);
    const fewer = matcher('replace');
    expect(calls.filter((call) => !fewer.match(call)).map(({ what }) => what.split(' ')[0])).toEqual([
      'replace',
    ]);
  });

  it('contains the session, the last message and tokens', () => {
    const events = read(recorded());
    expect(events.find(({ type }) => type === 'session')).toEqual({
      type: 'session',
      id: 'aae05e79-e0a7-4698-966f-ff16ba373b18',
    });
    expect(events.findLast(({ type }) => type === 'said')).toEqual({ type: 'said', text: 'All done.' });
    expect(events.findLast(({ type }) => type === 'used')).toEqual({
      type: 'used',
      tokens: { input: 12000, cached: 10000, output: 340 },
      total: false,
    });
  });
});

describe('an event stream of Gemini CLI', () => {
  const use = { type: 'tool_use', tool_id: 'a', tool_name: 'write_file', parameters: { file_path: 'x' } };

  it('needs no hook for a call that did not run', () => {
    const error = { type: 'policy_violation', message: 'no' };
    const events = read([use, { type: 'tool_result', tool_id: 'a', status: 'error', error }]);
    expect(events.filter(({ type }) => type === 'called')).toEqual([]);
  });

  it.each([
    [{ type: 'tool_result', tool_id: 'a', status: 'error', error: { type: 'something else' } }],
    [{ type: 'tool_result', tool_id: 'unknown', status: 'success' }],
    [{ type: 'tool_result', status: 'success' }],
    [{ type: 'tool_result', tool_id: 'a', status: 'success', error: { type: 'policy_violation' } }],
  ])('needs a hook for %j', (result) => {
    const [call] = read([use, result]).flatMap((event) => (event.type === 'called' ? [event.call] : []));
    expect(call && new CallMatcher().match(call)).toBe(false);
  });

  it('shows what kind of failure ended the run', () => {
    const failed = { type: 'result', status: 'error', error: { type: 'unknown', message: 'no' } };
    expect(read([failed])).toEqual([{ type: 'failed', why: 'no' }]);
    const { explain } = geminiAgent();
    const codes = [401, 403, 429, 503].map((status) => status % 256);
    expect(codes.map((code) => explain('x', code))).toEqual([
      'locked_out',
      'locked_out',
      'rate_limited',
      'rate_limited',
    ]);
    expect([
      explain('x', 41),
      explain('Searched for sessions', 42),
      explain('x', 1),
      explain('x', null),
    ]).toEqual(['locked_out', 'session_gone', undefined, undefined]);
  });
});
