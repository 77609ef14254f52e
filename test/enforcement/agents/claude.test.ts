import { describe, expect, it } from 'vitest';
import { readClaudeEvent, writeClaudeAnswer } from '../../../src/enforcement/agents/claude.ts';
import type { HookEvent } from '../../../src/enforcement/hooks/hook-event.ts';

const SESSION = { session_id: 's', cwd: '/p', permission_mode: 'default' };
const ATTENDED = { CLAUDE_CODE_ENTRYPOINT: 'cli' };

function read(payload: object, env: NodeJS.ProcessEnv = {}): HookEvent | undefined {
  return readClaudeEvent({ ...SESSION, ...payload }, env);
}

function acting(tool_name: string, tool_input: unknown) {
  const event = read({ hook_event_name: 'PreToolUse', tool_name, tool_input, tool_use_id: 't' });
  return event?.type === 'acting' ? event.request : undefined;
}

describe('events of Claude Code', () => {
  it.each([
    ['Read', { file_path: '/p/a' }, { kind: 'read', paths: ['/p/a'], whole: true }],
    ['Read', { file_path: '/p/a', limit: 5 }, { kind: 'read', paths: ['/p/a'], whole: false }],
    ['Grep', { pattern: 'x' }, { kind: 'read', paths: ['.'], whole: false }],
    ['Write', { file_path: '/p/a', content: 'b' }, { kind: 'write', path: '/p/a', content: 'b' }],
    [
      'Edit',
      { file_path: '/p/a', old_string: 'x', new_string: 'y', replace_all: true },
      { kind: 'replace', path: '/p/a', replacements: [{ old: 'x', new: 'y', all: true }] },
    ],
    ['NotebookEdit', { notebook_path: '/p/n' }, { kind: 'change', paths: ['/p/n'] }],
    [
      'Bash',
      { command: 'ls', run_in_background: true },
      { kind: 'command', command: 'ls', background: true },
    ],
    ['Agent', { subagent_type: 'coding-agent' }, { kind: 'spawn', type: 'coding-agent' }],
    [
      'LSP',
      { operation: 'hover', filePath: '/p/a', line: 1 },
      { kind: 'read', paths: ['/p/a'], whole: false },
    ],
    [
      'SlashCommand',
      { command: '/task-work TASK-001' },
      { kind: 'tool', name: 'SlashCommand', input: { command: '/task-work TASK-001' }, talks: true },
    ],
    ['mcp__x__y', { command: 'rm' }, { kind: 'tool', name: 'mcp__x__y', input: { command: 'rm' } }],
  ])('%s with %j becomes the right request', (tool, input, request) => {
    expect(acting(tool, input)).toEqual(request);
  });

  it('any built-in tool with a command counts as a command', () => {
    expect(acting('PowerShell2', { command: 'x' })).toEqual({
      kind: 'command',
      command: 'x',
      background: false,
    });
  });

  it.each([
    [{ hook_event_name: 'PreToolUse', tool_name: 'Bash' }],
    [{ hook_event_name: 7 }],
    [{ hook_event_name: 'PostToolBatch', tool_calls: 'all' }],
  ])('%j is not an event', (payload) => {
    expect(read(payload)).toBeUndefined();
  });

  it('canAsk is set only if a person is at the prompt', () => {
    const asked = (env: NodeJS.ProcessEnv, permission_mode = 'default') =>
      read({ hook_event_name: 'SessionStart', permission_mode }, env)?.source.canAsk;
    expect(asked(ATTENDED)).toBe(true);
    expect(asked({})).toBe(false);
    expect(asked({ CLAUDE_CODE_ENTRYPOINT: 'sdk-cli' })).toBe(false);
    expect(asked({ ...ATTENDED, CLAUDE_CODE_SESSION_ATTENDED: '0' })).toBe(false);
    expect(asked(ATTENDED, 'bypassPermissions')).toBe(false);
    expect(asked(ATTENDED, 'auto')).toBe(false);
  });

  it('a notice of a finished task is not a person’s prompt', () => {
    const prompted = (prompt: string, source?: string) => {
      const event = read({ hook_event_name: 'UserPromptSubmit', prompt, source });
      return event?.type === 'prompted' && event.byPerson;
    };
    expect(prompted('do it')).toBe(true);
    expect(prompted('<task-notification> done')).toBe(false);
    expect(prompted('do it', 'system')).toBe(false);
  });
});

describe('answers to Claude Code', () => {
  const event = (hook_event_name: string, more: object = {}) => {
    const found = read({ hook_event_name, tool_name: 'Bash', tool_input: {}, tool_use_id: 't', ...more });
    if (!found) throw new Error('no event');
    return found;
  };

  it('a refused action gets a deny', () => {
    expect(writeClaudeAnswer(event('PreToolUse'), { decision: 'stop', reason: 'no' })).toEqual({
      hookSpecificOutput: {
        hookEventName: 'PreToolUse',
        permissionDecision: 'deny',
        permissionDecisionReason: 'no',
      },
    });
  });

  it('an allowed action is left to Claude Code’s own permissions', () => {
    expect(writeClaudeAnswer(event('PreToolUse'), { decision: 'go' })).toEqual({});
  });

  it('a warning becomes context for the model', () => {
    expect(writeClaudeAnswer(event('PreToolUse'), { decision: 'go', context: 'careful' })).toEqual({
      hookSpecificOutput: { hookEventName: 'PreToolUse', additionalContext: 'careful' },
    });
  });

  it.each(['PostToolUse', 'PostToolBatch', 'Stop', 'SubagentStop', 'ConfigChange'])(
    '%s is blocked with its reason',
    (name) => {
      expect(
        writeClaudeAnswer(event(name, { tool_calls: [] }), { decision: 'stop', reason: 'no' }),
      ).toMatchObject({ decision: 'block', reason: 'no' });
    },
  );

  it.each(['PreToolUse', 'PostToolUse', 'PostToolUseFailure', 'PostToolBatch'])(
    'an answer to %s names this event, since it is ignored otherwise',
    (name) => {
      const answer = { decision: 'go', context: 'c' } as const;
      expect(writeClaudeAnswer(event(name, { error: 'Exit code 1', tool_calls: [] }), answer)).toEqual({
        hookSpecificOutput: { hookEventName: name, additionalContext: 'c' },
      });
    },
  );

  it('a session start carries context, a notice and the files to watch', () => {
    expect(
      writeClaudeAnswer(event('SessionStart'), {
        decision: 'go',
        context: 'c',
        notice: 'n',
        watch: ['/p/list'],
      }),
    ).toEqual({
      systemMessage: 'n',
      hookSpecificOutput: { hookEventName: 'SessionStart', additionalContext: 'c', watchPaths: ['/p/list'] },
    });
  });
});
