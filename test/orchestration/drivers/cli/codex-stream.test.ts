import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readCodexEvent } from '../../../../src/enforcement/agents/codex.ts';
import type { ReportedAction, StreamEvent } from '../../../../src/orchestration/drivers/cli/cli-agent.ts';
import { CallMatcher } from '../../../../src/orchestration/drivers/cli/cli-run.ts';
import { codexAgent } from '../../../../src/orchestration/drivers/cli/codex.ts';

const FOLDER = '/project';

/** An action as the hooks report it. */
function action(tool: string, input: object): ReportedAction {
  const event = readCodexEvent({
    session_id: 's',
    cwd: FOLDER,
    hook_event_name: 'PreToolUse',
    tool_name: tool,
    tool_input: input,
    tool_use_id: 'call_1',
  });
  if (event?.type !== 'acting') throw new Error('not an action');
  return { id: event.action, tool: event.tool, request: event.request, cwd: FOLDER };
}

const bash = (command: string) => action('Bash', { command });
const patch = (...lines: string[]) =>
  action('apply_patch', { command: ['*** Begin Patch', ...lines, '*** End Patch', ''].join('\n') });

function read(...events: object[]): StreamEvent[] {
  const reader = codexAgent().newReader();
  return events.flatMap((event) => reader(event));
}

function calls(...items: object[]) {
  return read(...items.map((item) => ({ type: 'item.started', item }))).flatMap((event) =>
    event.type === 'called' ? [event.call] : [],
  );
}

const command = (text: string, id = 'item_0') => ({ id, type: 'command_execution', command: text });
const change = (...paths: string[]) => ({
  id: 'item_0',
  type: 'file_change',
  changes: paths.map((path) => ({ path, kind: 'update' })),
});

function matches(item: object, ...allowed: ReportedAction[]): boolean {
  const matcher = new CallMatcher();
  for (const one of allowed) matcher.allow(one);
  return calls(item).every((call) => matcher.match(call));
}

describe('calls in the event stream of Codex match the actions of its hooks', () => {
  it.each<[string, object, ReportedAction]>([
    ['a command', command("/bin/bash -lc 'echo hi > a.txt'"), bash('echo hi > a.txt')],
    ['a command without a login shell', command('/bin/bash -c ls'), bash('ls')],
    ['a patch', change('/project/a.txt'), patch('*** Add File: a.txt', '+x')],
    [
      'a patch that moves a file',
      change('/project/a.txt'),
      patch('*** Update File: a.txt', '*** Move to: b.txt', '@@', '-x', '+y'),
    ],
    [
      'a patch in a command',
      change('/project/sub/a.txt'),
      bash("cd sub && apply_patch <<'EOF'\n*** Begin Patch\n*** Add File: a.txt\n+x\n*** End Patch\nEOF"),
    ],
    [
      'an MCP tool',
      { id: 'item_0', type: 'mcp_tool_call', server: 'notes', tool: 'write', arguments: { b: 1, a: 2 } },
      action('mcp__notes__write', { a: 2, b: 1 }),
    ],
  ])('%s', (_, item, allowed) => {
    expect(matches(item, allowed)).toBe(true);
    expect(matches(item)).toBe(false);
  });

  it.each<[string, object, ReportedAction]>([
    ['another command', command('/bin/bash -lc ls'), bash('ls -a')],
    ['a command that only contains it', command("/bin/bash -lc 'ls; rm a'"), bash('ls')],
    ['another file', change('/project/b.txt'), patch('*** Add File: a.txt', '+x')],
    ['one file more', change('/project/a.txt', '/project/b.txt'), patch('*** Add File: a.txt', '+x')],
    ['a change without files', change(), patch('*** Add File: a.txt', '+x')],
    [
      'other arguments',
      { id: 'item_0', type: 'mcp_tool_call', server: 'notes', tool: 'write', arguments: { a: 1 } },
      action('mcp__notes__write', { a: 2 }),
    ],
    ['an unknown kind of item', { id: 'item_0', type: 'teleport' }, bash('ls')],
    ['a search that the provider runs', { id: 'item_0', type: 'web_search', query: 'x' }, bash('ls')],
  ])('but not %s', (_, item, allowed) => {
    expect(matches(item, allowed)).toBe(false);
  });

  it('once for each action, and an item counts once', () => {
    const matcher = new CallMatcher();
    matcher.allow(bash('ls'));
    const [first, again, second] = calls(
      command('/bin/bash -lc ls', 'item_0'),
      command('/bin/bash -lc ls', 'item_0'),
      command('/bin/bash -lc ls', 'item_1'),
    );
    expect([first, again, second].map((call) => call && matcher.match(call))).toEqual([true, true, false]);
  });

  it('never for an item that cannot be read', () => {
    const events = read({ type: 'item.completed', item: { command: 'ls' } });
    expect(events).toMatchObject([{ type: 'called' }]);
  });
});

describe('the recorded event stream of Codex', () => {
  const lines = readFileSync(new URL('recorded/codex-0.166.0.jsonl', import.meta.url), 'utf8')
    .trim()
    .split('\n');

  it('contains the session, messages, calls and tokens', () => {
    const events = read(...lines.map((line) => JSON.parse(line) as object));
    expect(events.filter(({ type }) => type === 'session' || type === 'said' || type === 'used')).toEqual([
      { type: 'session', id: '01a1e4c8-0267-7ca1-b5bc-84bf4a23f244' },
      { type: 'said', text: 'I will run.' },
      { type: 'said', text: 'All done.' },
      { type: 'used', tokens: { input: 8400, cached: 7000, output: 238 }, total: true },
    ]);
    expect(new Set(events.flatMap((event) => (event.type === 'called' ? [event.call.id] : []))).size).toBe(5);
  });

  it('shows what kind of failure ended the run', () => {
    const why = 'unexpected status 401 Unauthorized: invalid key';
    expect(
      read({ type: 'error', message: why }, { type: 'turn.failed', error: { message: why } }),
    ).toContainEqual({
      type: 'failed',
      why,
    });
    const { explain } = codexAgent();
    expect(
      [
        why,
        'exceeded retry limit, last status: 429 Too Many Requests',
        'You’ve hit your usage limit.',
        'Quota exceeded. Check your plan and billing details.',
        'no rollout found for thread id 1',
        'the model said no',
      ].map(explain),
    ).toEqual(['locked_out', 'rate_limited', 'rate_limited', 'locked_out', 'session_gone', undefined]);
  });
});
