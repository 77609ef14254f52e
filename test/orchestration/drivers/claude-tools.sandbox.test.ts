import { expect, it } from 'vitest';
import { claudeTools, describeInput, judgeTool } from '../../../src/orchestration/drivers/claude-tools.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const request = (access: 'read' | 'write') => ({
  role: access === 'read' ? ('coach' as const) : ('player' as const),
  folder: temporaryFolder(),
  access,
  sandbox: undefined,
});

it('read access offers only reading tools, write access all', () => {
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
  'an unknown tool is refused: %j',
  (tool) => {
    expect(judgeTool(tool, {}, request('write')).ok).toBe(false);
  },
);

it('GuardKit’s tools are for planner and Player, and only those that a task needs', () => {
  const own = (name: string) => `mcp__guardkit__${name}`;
  expect(judgeTool(own('knowledge_update'), {}, request('write'))).toEqual({ ok: true });
  expect(judgeTool(own('knowledge_update'), {}, { ...request('write'), role: 'planner' }).ok).toBe(true);
  expect(judgeTool(own('knowledge_update'), {}, request('read')).ok).toBe(false);
  expect(judgeTool(own('knowledge_query'), {}, request('read')).ok).toBe(false);
  for (const name of [
    'feature_update',
    'create_guard',
    'verify_feature',
    '',
    'knowledge_update ',
    '__proto__',
  ])
    expect(judgeTool(own(name), {}, request('write')).ok).toBe(false);
  expect(judgeTool('mcp__guardkit_knowledge_update', {}, request('write')).ok).toBe(false);
});

it.each([undefined, null, 'a.txt', {}, { file_path: 7 }, { file_path: ['a'] }, { path: 'a.txt' }])(
  'a write without a path is refused: %j',
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

it('shows the main part of a known tool’s input, and nothing of others', () => {
  expect(describeInput('Bash', { command: 'npm test' })).toBe('npm test');
  expect(describeInput('Nothing', { command: 'npm test' })).toBe('');
  expect(describeInput('Read', null)).toBe('');
});
