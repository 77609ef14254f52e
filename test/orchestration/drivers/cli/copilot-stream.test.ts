import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readCopilotEvent } from '../../../../src/enforcement/agents/copilot.ts';
import type { StreamEvent } from '../../../../src/orchestration/drivers/cli/cli-agent.ts';
import { CallMatcher } from '../../../../src/orchestration/drivers/cli/cli-run.ts';
import { copilotAgent } from '../../../../src/orchestration/drivers/cli/copilot.ts';

const LINES = readFileSync(new URL('recorded/copilot-1.0.102.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n');
const PAYLOADS: object[] = JSON.parse(
  readFileSync(new URL('../../../enforcement/agents/recorded/copilot-1.0.102.json', import.meta.url), 'utf8'),
);

function read(events: readonly object[]): StreamEvent[] {
  const reader = copilotAgent().newReader();
  return events.flatMap((event) => reader(event));
}

const recorded = () => LINES.map((line) => JSON.parse(line) as object);

/** The recorded hooks of the same run. */
function matcher(except?: string): CallMatcher {
  const found = new CallMatcher();
  for (const payload of PAYLOADS) {
    const event = readCopilotEvent(payload);
    if (event?.type === 'acting' && event.tool !== except)
      found.allow({ id: event.action, tool: event.tool, request: event.request, cwd: event.source.cwd });
  }
  return found;
}

const callsIn = (events: readonly object[]) =>
  read(events).flatMap((event) => (event.type === 'called' ? [event.call] : []));

describe('the recorded event stream of Copilot CLI', () => {
  it('matches the recorded hooks of the same run, call by call', () => {
    const calls = callsIn(recorded());
    expect(calls).toHaveLength(10);
    const hooks = matcher();
    expect(calls.filter((call) => !hooks.match(call))).toEqual([]);
    const fewer = matcher('Edit');
    expect(calls.filter((call) => !fewer.match(call)).map(({ what }) => what.split(' ')[0])).toEqual([
      'edit',
    ]);
  });

  it('contains the session and the last message', () => {
    const events = read(recorded());
    expect(events.find(({ type }) => type === 'session')).toEqual({
      type: 'session',
      id: 'e7472fd4-c188-4e90-977a-5777fb61481b',
    });
    expect(events.findLast(({ type }) => type === 'said')).toEqual({
      type: 'said',
      text: 'done (script exhausted)',
    });
  });
});

describe('an event stream of Copilot CLI', () => {
  const begun = (toolName: string) => ({
    type: 'tool.execution_start',
    data: { toolCallId: 'c1', toolName, arguments: { command: 'true' } },
  });
  const ended = (success: boolean, code?: string) => ({
    type: 'tool.execution_complete',
    data: { toolCallId: 'c1', success, ...(code ? { error: { message: 'x', code } } : {}) },
  });

  it('needs a hook for each call, unless it was denied or only reads output', () => {
    expect(callsIn([begun('bash'), ended(true)])).toMatchObject([{ id: 'c1', failed: false }]);
    expect(callsIn([begun('bash'), ended(false, 'failure')])).toMatchObject([{ id: 'c1', failed: true }]);
    expect(callsIn([begun('bash'), ended(false, 'denied')])).toEqual([]);
    expect(callsIn([begun('read_bash'), ended(true)])).toEqual([]);
  });

  it('matches no hook if a call cannot be read', () => {
    const hooks = matcher();
    for (const type of ['tool.execution_start', 'tool.execution_complete'])
      expect(callsIn([{ type, data: {} }]).map((call) => hooks.match(call))).toEqual([false]);
    expect(callsIn([ended(true)]).map((call) => hooks.match(call))).toEqual([false]);
  });

  it('tells failures of the service from failures of the work', () => {
    const { explain } = copilotAgent();
    expect(explain('401 invalid key', 1)).toBe('locked_out');
    expect(explain('429 too many', 1)).toBe('rate_limited');
    expect(explain('400 invalid request', 1)).toBe(undefined);
  });
});
