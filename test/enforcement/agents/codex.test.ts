import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { findAgentHooks } from '../../../src/enforcement/agents/agent-hooks.ts';
import { readCodexEvent } from '../../../src/enforcement/agents/codex.ts';
import { isToolUseAnswer, writeToolUseAnswer } from '../../../src/enforcement/agents/tool-use-answers.ts';
import { answerHook } from '../../../src/enforcement/hooks/answer-hook.ts';
import type { HookAnswer, HookEvent } from '../../../src/enforcement/hooks/hook-event.ts';

/** Payloads of Codex 0.166.0, recorded from the real program. `npm run test:agents` compares them with it. */
const RECORDED: Record<string, unknown>[] = JSON.parse(
  readFileSync(new URL('recorded/codex-0.166.0.json', import.meta.url), 'utf8'),
);

const SESSION = { session_id: 's', cwd: '/p', permission_mode: 'bypassPermissions', model: 'm' };

function read(payload: object): HookEvent | undefined {
  return readCodexEvent({ ...SESSION, ...payload });
}

function acting(tool_name: string, tool_input: unknown) {
  const event = read({ hook_event_name: 'PreToolUse', tool_name, tool_input, tool_use_id: 't' });
  return event?.type === 'acting' ? event.request : undefined;
}

describe('recorded payloads of Codex', () => {
  const events = RECORDED.map(readCodexEvent);

  it('are all events', () => {
    expect(events.filter((event) => event === undefined)).toEqual([]);
    expect(new Set(events.map((event) => event?.type))).toEqual(
      new Set([
        'session-began',
        'prompted',
        'acting',
        'acted',
        'subagent-began',
        'stopping',
        'session-ended',
      ]),
    );
  });

  it('give each tool its request', () => {
    const requests = events.flatMap((event) =>
      event?.type === 'acting' ? [[event.tool, event.request]] : [],
    );
    expect(requests).toContainEqual([
      'Bash',
      { kind: 'command', command: 'echo hello > shell.txt; cat shell.txt', background: false, typable: true },
    ]);
    expect(requests).toContainEqual([
      'apply_patch',
      {
        kind: 'patch',
        files: [
          { type: 'add', path: 'edited.txt', content: 'line one\n' },
          {
            type: 'update',
            path: 'b.txt',
            movedTo: undefined,
            chunks: [{ old: ['one', 'two', 'three'], new: ['one', 'TWO', 'three'] }],
          },
          { type: 'delete', path: 'a.txt' },
        ],
      },
    ]);
    expect(requests).toContainEqual(['view_image', { kind: 'read', paths: ['a.png'], whole: true }]);
    expect(requests).toContainEqual(['collaborationspawn_agent', { kind: 'spawn', type: 'default' }]);
    expect(requests).toContainEqual([
      'mcp__notes__write_note',
      { kind: 'tool', name: 'mcp__notes__write_note', input: { text: 'from code mode' } },
    ]);
    expect(requests).toContainEqual([
      'collaborationwait_agent',
      { kind: 'tool', name: 'collaborationwait_agent', input: { timeout_ms: 10_000 }, talks: true },
    ]);
  });

  it('keep the session of a subagent and name the subagent', () => {
    const began = events.find((event) => event?.type === 'subagent-began');
    const acted = events.filter((event) => event?.type === 'acting' && event.source.actorId !== undefined);
    expect(began?.source.actorType).toBe('default');
    expect(acted.map((event) => event?.source)).toEqual([
      expect.objectContaining({ actorId: began?.source.actorId, session: began?.source.session }),
    ]);
  });

  it('never say that a person can be asked', () => {
    expect(events.some((event) => event?.source.canAsk)).toBe(false);
  });
});

describe('tools of Codex', () => {
  it('a patch that cannot be read says why', () => {
    expect(acting('apply_patch', { command: 'rm everything' })).toMatchObject({
      kind: 'patch',
      files: [],
      unread: expect.any(String),
    });
    expect(acting('apply_patch', { input: 7 })).toMatchObject({ kind: 'patch', unread: expect.any(String) });
  });

  it('a tool of an MCP server is never a command', () => {
    expect(acting('mcp__x__y', { command: 'rm' })).toEqual({
      kind: 'tool',
      name: 'mcp__x__y',
      input: { command: 'rm' },
    });
  });

  it('any other tool with a command runs it', () => {
    expect(acting('shell2', { command: 'x' })).toMatchObject({ kind: 'command', typable: true });
  });
});

describe('answers to Codex', () => {
  const names: Record<string, object> = {
    PreToolUse: { tool_name: 'Bash', tool_input: { command: 'x' }, tool_use_id: 't' },
    PostToolUse: { tool_name: 'Bash', tool_input: { command: 'x' }, tool_use_id: 't' },
    Stop: {},
    SubagentStop: {},
    SessionStart: {},
    SubagentStart: {},
    UserPromptSubmit: { prompt: 'x' },
    SessionEnd: {},
  };
  const event = (name: string) => {
    const found = read({ hook_event_name: name, ...names[name] });
    if (!found) throw new Error('no event');
    return found;
  };
  const full = { context: 'c', notice: 'n', watch: ['/p/list'] };

  it.each(Object.keys(names))('every answer to %s has only fields that Codex knows', (name) => {
    const answers: HookAnswer[] = [
      { decision: 'go' },
      { decision: 'go', ...full },
      { decision: 'ask', reason: 'r', ...full },
      { decision: 'stop', ...full },
    ];
    for (const answer of answers) expect(isToolUseAnswer(writeToolUseAnswer(event(name), answer))).toBe(true);
  });

  it.each(['ask', 'stop'] as const)('an action with the decision "%s" is denied', (decision) => {
    expect(writeToolUseAnswer(event('PreToolUse'), { decision, reason: 'no' })).toEqual({
      hookSpecificOutput: {
        hookEventName: 'PreToolUse',
        permissionDecision: 'deny',
        permissionDecisionReason: 'no',
      },
    });
  });

  it('a refusal always has a reason, since Codex ignores one without', () => {
    expect(writeToolUseAnswer(event('PreToolUse'), { decision: 'stop', reason: ' ' })).toMatchObject({
      hookSpecificOutput: { permissionDecisionReason: expect.stringMatching(/\S/) },
    });
    expect(writeToolUseAnswer(event('Stop'), { decision: 'stop' })).toMatchObject({
      decision: 'block',
      reason: expect.stringMatching(/\S/),
    });
  });

  it.each([
    [{ hookSpecificOutput: { permissionDecision: 'ask', permissionDecisionReason: 'r' } }],
    [{ hookSpecificOutput: { permissionDecision: 'deny', permissionDecisionReason: '' } }],
    [{ hookSpecificOutput: { permissionDecision: 'deny', permissionDecisionReason: 'r', extra: 'x' } }],
    [{ decision: 'block' }],
    [{ continue: false }],
  ])('%j is not an answer for Codex', (answer) => {
    expect(isToolUseAnswer(answer)).toBe(false);
  });

  it('an answer that Codex would ignore becomes a refusal by exit code', async () => {
    const codex = findAgentHooks('codex');
    if (!codex) throw new Error('no hooks');
    const output = await answerHook({
      agent: { ...codex, write: () => ({ hookSpecificOutput: { permissionDecision: 'ask' } }) },
      env: {},
      payload: () => JSON.stringify({ ...SESSION, hook_event_name: 'PreToolUse', ...names.PreToolUse }),
      handle: async () => ({ decision: 'stop', reason: 'r' }),
    });
    expect(output).toMatchObject({ exitCode: 2, stdout: '' });
    expect(output.stderr).not.toBe('');
  });
});
