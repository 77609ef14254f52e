import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { findAgentHooks } from '../../../src/enforcement/agents/agent-hooks.ts';
import { isQwenCall, readQwenEvent, writeQwenAnswer } from '../../../src/enforcement/agents/qwen.ts';
import { isToolUseAnswer } from '../../../src/enforcement/agents/tool-use-answers.ts';
import type { HookAnswer, HookEvent } from '../../../src/enforcement/hooks/hook-event.ts';

/** Payloads of Qwen Code 0.24.4, recorded from the real program. `npm run test:agents` compares them with it. */
const RECORDED: Record<string, unknown>[] = JSON.parse(
  readFileSync(new URL('recorded/qwen-0.24.4.json', import.meta.url), 'utf8'),
);

function read(payload: object): HookEvent | undefined {
  return readQwenEvent({ session_id: 's', cwd: '/p', ...payload });
}

function acting(tool_name: string, tool_input: unknown) {
  const event = read({ hook_event_name: 'PreToolUse', tool_name, tool_input, tool_use_id: 't1' });
  return event?.type === 'acting' ? event : undefined;
}

describe('recorded payloads of Qwen Code', () => {
  const events = RECORDED.map(readQwenEvent);

  it('are all events', () => {
    expect(events.filter((event) => event === undefined)).toEqual([]);
    expect(new Set(events.map((event) => event?.type))).toEqual(
      new Set(['session-began', 'prompted', 'acting', 'acted', 'subagent-began', 'stopping', 'other']),
    );
  });

  it('give each tool its request', () => {
    const requests = events.flatMap((event) =>
      event?.type === 'acting' ? [[event.tool, event.request]] : [],
    );
    expect(requests).toEqual([
      ['run_shell_command', { kind: 'command', command: 'echo hello > shell.txt', background: false }],
      ['write_file', { kind: 'write', path: '/project/a.txt', content: '1\n' }],
      [
        'edit',
        { kind: 'replace', path: '/project/a.txt', replacements: [{ old: '1', new: '2', all: false }] },
      ],
      ['read_file', { kind: 'read', paths: ['/project/a.txt'], whole: true }],
      ['run_shell_command', { kind: 'command', command: 'ls /nonexist', background: false }],
      ['glob', { kind: 'read', paths: ['.'], whole: false }],
      ['grep_search', { kind: 'read', paths: ['.'], whole: false }],
      ['monitor', { kind: 'command', command: 'echo m > mon.txt', background: true }],
      ['agent', { kind: 'spawn', type: 'general-purpose' }],
      ['run_shell_command', { kind: 'command', command: 'echo sub > sub.txt', background: false }],
      ['run_shell_command', { kind: 'command', command: 'sleep 1; echo b > bg.txt', background: true }],
      ['run_shell_command', { kind: 'command', command: 'pwd', background: false }],
    ]);
  });

  it('give the end of an action the id of its beginning', () => {
    const ids = (type: 'acting' | 'acted') =>
      events.flatMap((event) => (event?.type === type ? [event.action] : [])).sort();
    expect(ids('acting')).toEqual(ids('acted'));
    expect(new Set(ids('acting')).size).toBe(ids('acting').length);
  });

  it('tell subagents from the session, and its prompt from results of tools', () => {
    const inSubagent = events.filter((event) => event?.type === 'acting' && event.source.actorId);
    expect(inSubagent).toHaveLength(1);
    expect(events.filter((event) => event?.type === 'prompted')).toMatchObject([
      { text: 'Go on', byPerson: true },
    ]);
  });
});

describe('events of Qwen Code', () => {
  it('tell a person’s prompt from GuardKit’s own', () => {
    const prompted = (prompt: string) => read({ hook_event_name: 'UserPromptSubmit', prompt });
    expect(prompted('Go')).toMatchObject({ type: 'prompted', byPerson: true });
    const { reason } = writeQwenAnswer(STOPPING, { decision: 'stop', reason: 'Not verified.' });
    expect(prompted(String(reason))).toMatchObject({ type: 'prompted', byPerson: false });
  });

  it('place a command in its folder', () => {
    const command = { command: 'ls', is_background: false };
    expect(acting('run_shell_command', { ...command, directory: '/p/sub' })?.source.cwd).toBe('/p/sub');
    expect(acting('run_shell_command', command)?.source.cwd).toBe('/p');
  });

  it('judge a memory as a change to the person’s settings, and a notebook as a change', () => {
    expect(acting('save_memory', { fact: 'x' })?.request).toMatchObject({ kind: 'change' });
    expect(acting('notebook_edit', { notebook_path: '/p/a.ipynb' })?.request).toEqual({
      kind: 'change',
      paths: ['/p/a.ipynb'],
    });
  });

  it('find an action by the id of the model’s service', () => {
    const event = read({
      hook_event_name: 'PreToolUse',
      tool_name: 'glob',
      tool_input: {},
      tool_use_id: 't1',
      tool_call_id: 'call_1',
    });
    const action = event?.type === 'acting' ? event.action : '';
    expect([isQwenCall(action, 'call_1'), isQwenCall(action, '1'), isQwenCall(action, '')]).toEqual([
      true,
      false,
      false,
    ]);
  });

  it('report agents that still run when the session stops', () => {
    const background_tasks = [
      { id: 'a', status: 'running' },
      { id: 'b', status: 'completed' },
    ];
    expect(read({ hook_event_name: 'Stop', stop_hook_active: true, background_tasks })).toMatchObject({
      type: 'stopping',
      of: 'session',
      again: true,
      background: ['a'],
    });
  });
});

const SOURCE = {
  agent: 'qwen',
  session: 's',
  cwd: '/p',
  actorType: undefined,
  actorId: undefined,
  canAsk: false,
};
const STOPPING: HookEvent = { type: 'stopping', source: SOURCE, of: 'session', again: false, said: '' };

describe('answers to Qwen Code', () => {
  it('are in the form that it understands, and refuse where GuardKit would ask', () => {
    const event: HookEvent = {
      type: 'acting',
      source: SOURCE,
      action: 'a',
      tool: 'glob',
      request: { kind: 'read', paths: [], whole: false },
    };
    for (const decision of ['ask', 'stop'] satisfies HookAnswer['decision'][]) {
      const answer = writeQwenAnswer(event, { decision, reason: 'no' });
      expect(answer).toEqual({
        hookSpecificOutput: {
          hookEventName: 'PreToolUse',
          permissionDecision: 'deny',
          permissionDecisionReason: 'no',
        },
      });
      expect(isToolUseAnswer(answer)).toBe(true);
    }
    expect(writeQwenAnswer(STOPPING, { decision: 'go' })).toEqual({});
  });

  it('go to hooks that it starts in the folder that it names', () => {
    const origin = findAgentHooks('qwen')?.origin({ env: { QWEN_PROJECT_DIR: '/p' }, cwd: '/p/sub' });
    expect(origin).toEqual({ folder: '/p', agentPid: undefined });
  });
});
