import { expect, it } from 'vitest';
import { claudeTools, describeInput, judgeTool } from '../../../src/orchestration/drivers/claude-tools.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const request = (access: 'read' | 'write') => ({ folder: temporaryFolder(), access, sandbox: undefined });

it('who reads is offered reading, who writes everything', () => {
  expect(claudeTools('read')).toEqual(['Read', 'Grep', 'Glob']);
  expect(claudeTools('write')).toEqual(['Read', 'Grep', 'Glob', 'Write', 'Edit', 'NotebookEdit', 'Bash']);
});

it.each(['Write', 'Edit', 'NotebookEdit', 'Bash', 'Agent', 'mcp__server__write'])(
  '%s is refused to who only reads',
  (tool) => {
    expect(judgeTool(tool, { file_path: 'a', command: 'true' }, request('read')).ok).toBe(false);
  },
);

it.each(['WebFetch', 'Task', 'mcp__github__push', 'write', '__proto__', ''])(
  'a tool that nobody looked at is refused: %j',
  (tool) => {
    expect(judgeTool(tool, {}, request('write')).ok).toBe(false);
  },
);

it.each([undefined, null, 'a.txt', {}, { file_path: 7 }, { file_path: ['a'] }, { path: 'a.txt' }])(
  'a write that does not say where is refused: %j',
  (input) => {
    expect(judgeTool('Write', input, request('write')).ok).toBe(false);
  },
);

it('every tool that writes is judged by its own path', () => {
  const player = request('write');
  expect(judgeTool('Edit', { file_path: '/etc/passwd' }, player).ok).toBe(false);
  expect(judgeTool('NotebookEdit', { notebook_path: '/etc/passwd', file_path: 'a' }, player).ok).toBe(false);
  expect(judgeTool('Write', { file_path: `${player.folder}/a` }, player)).toMatchObject({ ok: true });
  expect(judgeTool('StructuredOutput', {}, request('read'))).toEqual({ ok: true });
});

it('shows of an input what tells most, and nothing of what it does not know', () => {
  expect(describeInput('Bash', { command: 'npm test' })).toBe('npm test');
  expect(describeInput('Nothing', { command: 'npm test' })).toBe('');
  expect(describeInput('Read', null)).toBe('');
});
