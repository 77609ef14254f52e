import { ErrorCode } from '@modelcontextprotocol/sdk/types.js';
import { expect, it } from 'vitest';
import { HookedProject } from '../../support/hooked-project.ts';
import { further } from '../../support/thorough.ts';
import { McpCaller } from './mcp-client.ts';

async function refusedProject(): Promise<{ project: HookedProject; caller: McpCaller }> {
  const project = new HookedProject();
  await project.begin();
  await project.hook({
    hook_event_name: 'PreToolUse',
    tool_name: 'Write',
    tool_use_id: 'tool-1',
    tool_input: { file_path: project.path('.guardkit/config.yaml'), content: 'project: other\n' },
  });
  const caller = await McpCaller.connect({ cwd: project.folder, env: project.personEnv() });
  return { project, caller };
}

async function promptText(caller: McpCaller, name: string, given: Record<string, string> = {}) {
  const { messages } = await caller.client.getPrompt({ name, arguments: given });
  const content = messages[0]?.content;
  return content?.type === 'text' ? content.text : '';
}

it('a person who asks why is told what was refused, by what, why, and what to do instead', async () => {
  const { caller } = await refusedProject();
  const { prompts } = await caller.client.listPrompts();
  expect(prompts.map(({ name }) => name)).toEqual(['why', 'precedents']);
  for (const given of [{}, { what: 'protected-set' }, { what: 'config.yaml' }] as Record<string, string>[]) {
    const text = await promptText(caller, 'why', given);
    expect(text).toContain('protected-set');
    expect(text).toMatch(/Write .*config\.yaml/);
    expect(text).toContain('guardkit guard allow');
    expect(text).toContain('guardkit accept');
  }
});

further('what was refused again in the same words is told once', async () => {
  const { project, caller } = await refusedProject();
  const write = (path: string, tool_use_id: string) =>
    project.hook({
      hook_event_name: 'PreToolUse',
      tool_name: 'Write',
      tool_use_id,
      tool_input: { file_path: project.path(path), content: 'project: other\n' },
    });
  for (const id of ['tool-2', 'tool-3']) await write('.guardkit/config.yaml', id);
  await write('.guardkit/guards/own.yaml', 'tool-4');
  const text = await promptText(caller, 'why');
  expect(text.match(/Write [^\n]*own\.yaml/g)).toHaveLength(1);
  expect(text.match(/Write [^\n]*config\.yaml/g)).toHaveLength(1);
});

it('precedents are found by what is going to be done, and marked so that nobody stores them again', async () => {
  const { caller } = await refusedProject();
  const text = await promptText(caller, 'precedents', { about: 'change the project id in config.yaml' });
  expect(text).toContain('<guardkit-precedents>');
  const stored = await caller.call('store_trace', {
    type: 'decision',
    event: { what_happened: text.slice(text.indexOf('<guardkit-precedents>')) },
  });
  expect(stored).toMatchObject({ refused: true, code: 'trace.recalled' });
});

it('where nothing was refused and nothing is remembered, that is said', async () => {
  const project = new HookedProject();
  const caller = await McpCaller.connect({ cwd: project.folder, env: project.personEnv() });
  const code = ErrorCode.InvalidParams;
  expect(await promptText(caller, 'why')).not.toMatch(/protected-set|^$/);
  expect(await promptText(caller, 'precedents', { about: 'x' })).not.toMatch(/<guardkit-precedents>|^$/);
  await expect(caller.client.getPrompt({ name: 'precedents' })).rejects.toMatchObject({
    code,
    message: expect.stringContaining('about'),
  });
  await expect(caller.client.getPrompt({ name: 'wy' })).rejects.toMatchObject({
    code,
    message: expect.stringContaining('why, precedents'),
  });
});

further('the same can be read as resources', async () => {
  const { caller } = await refusedProject();
  const { resources } = await caller.client.listResources();
  expect(resources.map(({ uri }) => uri)).toEqual(['guardkit://refusals', 'guardkit://precedents']);
  for (const { uri } of resources) {
    const { contents } = await caller.client.readResource({ uri });
    expect(JSON.stringify(contents)).toContain('config.yaml');
  }
  await expect(caller.client.readResource({ uri: 'guardkit://../ledger.db' })).rejects.toMatchObject({
    code: ErrorCode.InvalidParams,
  });
});
