import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readQwenEvent } from '../../../../src/enforcement/agents/qwen.ts';
import type { StreamEvent } from '../../../../src/orchestration/drivers/cli/cli-agent.ts';
import { CallMatcher } from '../../../../src/orchestration/drivers/cli/cli-run.ts';
import { qwenAgent } from '../../../../src/orchestration/drivers/cli/qwen.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { agentRequest } from '../agent-request.ts';

const LINES = readFileSync(new URL('recorded/qwen-0.24.4.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n');
const PAYLOADS: object[] = JSON.parse(
  readFileSync(new URL('../../../enforcement/agents/recorded/qwen-0.24.4.json', import.meta.url), 'utf8'),
);

function read(events: readonly object[]): StreamEvent[] {
  const reader = qwenAgent().newReader();
  return events.flatMap((event) => reader(event));
}

const recorded = () => LINES.map((line) => JSON.parse(line) as object);

/** The recorded hooks of the same run. */
function matcher(except?: string): CallMatcher {
  const found = new CallMatcher();
  for (const payload of PAYLOADS) {
    const event = readQwenEvent(payload);
    if (event?.type === 'acting' && event.tool !== except)
      found.allow({ id: event.action, tool: event.tool, request: event.request, cwd: event.source.cwd });
  }
  return found;
}

const callsIn = (events: readonly object[]) =>
  read(events).flatMap((event) => (event.type === 'called' ? [event.call] : []));

describe('the recorded event stream of Qwen Code', () => {
  it('matches the recorded hooks of the same run, call by call', () => {
    const calls = callsIn(recorded());
    expect(calls).toHaveLength(12);
    const hooks = matcher();
    expect(calls.filter((call) => !hooks.match(call))).toEqual([]);
    const fewer = matcher('edit');
    expect(calls.filter((call) => !fewer.match(call)).map(({ what }) => what.split(' ')[0])).toEqual([
      'edit',
    ]);
  });

  it('contains the session, the last message and tokens', () => {
    const events = read(recorded());
    expect(events.find(({ type }) => type === 'session')).toEqual({
      type: 'session',
      id: 'b7c9e2f0-3d41-4c8e-9a6b-2f5d8e1c7a90',
    });
    expect(events.findLast(({ type }) => type === 'said')).toEqual({ type: 'said', text: 'All done.' });
    expect(events.findLast(({ type }) => type === 'used')).toEqual({
      type: 'used',
      tokens: { input: 7200, cached: 6000, output: 204 },
      total: false,
    });
  });
});

describe('an event stream of Qwen Code', () => {
  const used = (name: string) => ({
    type: 'assistant',
    message: { content: [{ type: 'tool_use', id: 'c1', name, input: {} }] },
  });
  const ended = (is_error: boolean) => ({
    type: 'user',
    message: { content: [{ type: 'tool_result', tool_use_id: 'c1', is_error, content: 'x' }] },
  });

  it('needs no hook for an edit whose input was invalid, but for a command that failed', () => {
    expect(callsIn([used('write_file'), ended(true)])).toEqual([]);
    expect(callsIn([used('run_shell_command'), ended(true)])).toMatchObject([{ id: 'c1', failed: true }]);
    expect(callsIn([used('write_file'), ended(false)])).toMatchObject([{ id: 'c1', failed: false }]);
  });

  it('matches no hook if a call cannot be read', () => {
    const unreadable = [
      { type: 'assistant', message: { content: [{ type: 'tool_use', name: 'edit' }] } },
      { type: 'user', message: { content: [{ type: 'tool_result' }] } },
      { type: 'user', message: 1 },
    ];
    const hooks = matcher();
    for (const event of unreadable)
      expect(callsIn([event]).map((call) => hooks.match(call))).toEqual([false]);
  });

  it('tells failures of the service from failures of the work', () => {
    const { explain } = qwenAgent();
    expect(explain('[API Error: 401 invalid key]', 1)).toBe('locked_out');
    expect(explain('[API Error: 429 too many]', 1)).toBe('rate_limited');
    expect(explain('[API Error: 400 invalid request]', 1)).toBe(undefined);
  });
});

it('a driven run of Qwen Code has the person’s account and model, and no other settings', async () => {
  const [HOME, home, kept] = [temporaryFolder(), temporaryFolder(), temporaryFolder()];
  const auth = { selectedType: 'openai', apiKey: 'key', baseUrl: 'http://127.0.0.1:1' };
  mkdirSync(join(HOME, '.qwen'));
  const settings = { security: { auth }, model: { name: 'm' }, ui: { theme: 'x' } };
  writeFileSync(join(HOME, '.qwen', 'settings.json'), JSON.stringify(settings));
  const request = await agentRequest({ env: { HOME } });
  const start = { home, kept, hooks: undefined, tools: undefined, request, prompt: '', session: undefined };
  const { files } = qwenAgent().prepare(start);
  expect(JSON.parse(files['.qwen/settings.json'] ?? '{}')).toEqual({
    security: { auth },
    model: { name: 'm' },
  });
});
