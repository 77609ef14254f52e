import { describe, expect, it } from 'vitest';
import { findAgentHooks } from '../../../src/enforcement/agents/agent-hooks.ts';
import type { ToolRequest } from '../../../src/enforcement/hooks/hook-event.ts';

/** The request that an agent's adapter reads from a call, with its folder. */
function read(agent: string, tool: string, input: unknown): { request: ToolRequest; cwd: string } {
  const payload =
    agent === 'opencode'
      ? { hook: 'before', session: 's', directory: '/p', tool, call: 'c', args: input }
      : {
          hook_event_name: agent === 'gemini' ? 'BeforeTool' : 'PreToolUse',
          session_id: 's',
          cwd: '/p',
          tool_name: tool,
          tool_input: input,
          tool_use_id: 't',
        };
  const event = findAgentHooks(agent)?.read(payload, {});
  if (event?.type !== 'acting') throw new Error('not an action');
  return { request: event.request, cwd: event.source.cwd };
}

const SHELLS = [
  ['claude', 'Bash'],
  ['codex', 'Bash'],
  ['copilot', 'Bash'],
  ['gemini', 'run_shell_command'],
  ['opencode', 'bash'],
  ['qwen', 'run_shell_command'],
] as const;

describe.each(SHELLS)('a command of %s', (agent, tool) => {
  it('is judged as a command, whatever else its input contains', () => {
    const more = {
      ...{
        path: 'a',
        file_text: 'x',
        file_path: 'a',
        filePath: 'a',
        content: 'x',
        input: 'ls',
        shellId: '1',
      },
      ...{ old_str: 'a', new_str: 'b', old_string: 'a', new_string: 'b', patch: '', mode: 1, insert_line: 1 },
      ...{ is_background: 'False', run_in_background: 'no', description: ['x'] },
    };
    expect(read(agent, tool, { command: 'rm x', ...more }).request).toMatchObject({
      kind: 'command',
      command: 'rm x',
    });
  });

  it.each([undefined, null, 'rm x', ['rm', 'x'], {}, { command: ['rm', 'x'] }, { cmd: 'rm x' }])(
    'is refused if its input is %j',
    (input) => {
      expect(read(agent, tool, input).request).toMatchObject({ kind: 'tool', unread: expect.any(String) });
    },
  );
});

const WRITES = [
  ['claude', 'Write', 'file_path', 'content'],
  ['claude', 'Edit', 'file_path', 'new_string'],
  ['copilot', 'Write', 'path', 'file_text'],
  ['copilot', 'Edit', 'path', 'new_str'],
  ['gemini', 'write_file', 'file_path', 'content'],
  ['gemini', 'replace', 'file_path', 'new_string'],
  ['opencode', 'write', 'filePath', 'content'],
  ['opencode', 'edit', 'filePath', 'newString'],
  ['qwen', 'write_file', 'file_path', 'content'],
  ['qwen', 'edit', 'file_path', 'new_string'],
] as const;

describe.each(WRITES)('an edit of %s with %s', (agent, tool, path, content) => {
  it('is judged by its path if its content is not text', () => {
    for (const value of [5, ['x'], undefined, { text: 'x' }])
      expect(read(agent, tool, { [path]: '/p/a', [content]: value }).request).toEqual({
        kind: 'change',
        paths: ['/p/a'],
      });
  });

  it.each([undefined, null, 5, ['/p/a'], {}])('is refused if its input or its path is %j', (value) => {
    for (const input of [value, { [path]: value, [content]: 'x' }])
      expect(read(agent, tool, input).request).toMatchObject({ kind: 'tool', unread: expect.any(String) });
  });
});

describe('Copilot CLI', () => {
  it('edits what its edit tool gets, not the fields of another tool', () => {
    const edit = { path: '/p/a', old_str: 'a', new_str: 'b' };
    expect(read('copilot', 'Edit', { ...edit, file_text: 'x', command: 'ls' }).request).toMatchObject({
      kind: 'replace',
      path: '/p/a',
    });
    expect(
      read('copilot', 'Write', { path: '/p/a', file_text: 'x', old_str: 'a', new_str: 'b' }),
    ).toMatchObject({ request: { kind: 'write', content: 'x' } });
  });

  it('applies patches under two names', () => {
    const patch = '*** Begin Patch\n*** Add File: a.txt\n+x\n*** End Patch\n';
    for (const tool of ['Edit', 'apply_patch'])
      for (const input of [patch, { input: patch }, { patch }])
        expect(read('copilot', tool, input).request).toMatchObject({
          kind: 'patch',
          files: [{ path: 'a.txt' }],
        });
  });

  it('is refused an unknown tool whose input fits several', () => {
    const input = { command: 'rm x', path: '/p/a', file_text: 'x' };
    expect(read('copilot', 'make', input).request).toMatchObject({ unread: expect.any(String) });
    expect(read('copilot', 'make', { command: 'rm x' }).request).toMatchObject({ kind: 'command' });
  });

  it('searches in every folder that it names', () => {
    expect(read('copilot', 'Grep', { pattern: 'x', paths: ['/a', '/b'] }).request).toMatchObject({
      paths: ['/a', '/b'],
    });
    expect(read('copilot', 'Glob', { pattern: 'x' }).request).toMatchObject({ paths: ['.'] });
  });

  it('has tools of MCP servers, which are judged by the paths in their input', () => {
    for (const name of ['mcp__x__run', 'x-run'])
      expect(read('copilot', name, { command: 'ls' }).request).toEqual({
        kind: 'tool',
        name,
        input: { command: 'ls' },
      });
  });
});

describe('the folder of a command', () => {
  it('is the one that the agent uses, whatever others are named', () => {
    const places = { dir_path: '/p/a', directory: '/p/b', workdir: '/p/c' };
    const input = { command: 'ls', ...places };
    expect(
      ['gemini', 'qwen', 'opencode'].map(
        (agent) => read(agent, agent === 'opencode' ? 'bash' : 'run_shell_command', input).cwd,
      ),
    ).toEqual(['/p/a', '/p/b', '/p/c']);
    expect(read('gemini', 'run_shell_command', { command: 'ls', directory: '/tmp' }).cwd).toBe('/p');
    expect(read('qwen', 'run_shell_command', { command: 'ls', dir_path: '/tmp' }).cwd).toBe('/p');
  });
});

describe('paths of Gemini CLI', () => {
  it('are read as it reads them', () => {
    const path = (file_path: string) => read('gemini', 'write_file', { file_path, content: 'x' }).request;
    expect(path('.%67emini/a')).toMatchObject({ kind: 'write', path: '.gemini/a' });
    expect(path('.gem\0ini/a')).toMatchObject({ kind: 'write', path: '.gemini/a' });
    expect(path('100%/a')).toMatchObject({ kind: 'write', path: '100%/a' });
  });

  it('are refused if they begin with "@", which it may drop', () => {
    for (const file_path of ['@.gemini/a', '@/a', '\0@a'])
      for (const [tool, more] of [
        ['write_file', { content: 'x' }],
        ['write_file', {}],
        ['replace', { old_string: 'a', new_string: 'b' }],
      ] as const)
        expect(read('gemini', tool, { file_path, ...more }).request).toMatchObject({
          unread: expect.any(String),
        });
  });
});

it('a memory, an extension and a monitor are judged as changes and commands', () => {
  expect(read('copilot', 'extensions_manage', { operation: 'scaffold', name: 'x' }).request).toEqual({
    kind: 'change',
    paths: ['.github/extensions'],
  });
  expect(read('qwen', 'monitor', { command: 'rm x' }).request).toMatchObject({ kind: 'command' });
  expect(read('qwen', 'monitor', { command: 1 }).request).toMatchObject({ unread: expect.any(String) });
});
