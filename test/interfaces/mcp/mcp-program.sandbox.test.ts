import { spawn } from 'node:child_process';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { expect, it, onTestFinished } from 'vitest';
import { programFile } from '../../../src/enforcement/install/own-package.ts';
import { TOOLS } from '../../../src/interfaces/mcp/tools/tools.ts';
import { BuildProject, DOCS_FILES } from '../../support/build-project.ts';
import { further } from '../../support/thorough.ts';
import { answered } from './mcp-client.ts';

function docsProject(): BuildProject {
  const project = new BuildProject(DOCS_FILES);
  onTestFinished(() => project.cleanup());
  return project;
}

further(
  'the installed program is a server to the official client, and verifies with its own gates',
  async () => {
    const project = docsProject();
    const client = new Client({ name: 'test', version: '1' });
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [programFile(), 'mcp'],
      cwd: project.path(),
      env: project.sandbox.env,
      stderr: 'pipe',
    });
    await client.connect(transport);
    const { pid } = transport;
    expect(client.getServerVersion()?.name).toBe('guardkit');
    expect((await client.listTools()).tools).toHaveLength(TOOLS.length);
    const call = async (name: string, input: Record<string, unknown>) =>
      answered(await client.callTool({ name, arguments: input }));

    const failed = await call('verify_feature', { id: 'TASK-001' });
    expect(failed.text).toMatch(/^TASK-001: fail\b/);
    project.write({ 'docs/guide.md': 'Add with add.\n' });
    const passed = await call('verify_feature', { id: 'TASK-001' });
    expect(passed.text).toMatch(/^TASK-001: pass\b/);
    expect(passed.text).toContain('checks: pass');
    const unknown = await call('verify_feature', { id: 'TASK-009' });
    expect(unknown).toMatchObject({ refused: true, text: expect.stringContaining('TASK-009') });
    const option = await call('verify_feature', { id: '--yes' });
    expect(option.refused).toBe(true);
    await client.close();
    expect(() => process.kill(pid ?? 0, 0)).toThrow();
  },
  120_000,
);

it('nothing but messages comes out of it, whatever goes in, and it ends with its input [MCP-2]', async () => {
  const project = docsProject();
  const child = spawn(process.execPath, [programFile(), 'mcp'], {
    cwd: project.path(),
    env: project.sandbox.env,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let stdout = '';
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
  });
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  const lines = [
    'not json',
    '{"jsonrpc":"2.0"}',
    '[]',
    '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":7}}',
    '{"jsonrpc":"2.0","id":2,"method":"no/such/method"}',
    '{"jsonrpc":"2.0","id":3,"method":"tools/list"}',
    `{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"knowledge_update","arguments":{"__proto__":{"x":1},"operations":${'['.repeat(5000)}${']'.repeat(5000)}}}}`,
    '{"jsonrpc":"2.0","id":5,"method":"ping"}',
  ];
  child.stdin.write(`${lines.join('\n')}\n`);
  await new Promise<void>((resolve) => {
    child.stdout.on('data', () => {
      if (stdout.includes('"id":5')) resolve();
    });
  });
  child.stdin.end();
  expect(await ended).toBe(0);
  const messages = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { jsonrpc: string; id?: number; error?: object; result?: object });
  expect(messages.every(({ jsonrpc }) => jsonrpc === '2.0')).toBe(true);
  const byId = new Map(messages.map((message) => [message.id, message]));
  expect(byId.get(1)?.error).toBeDefined();
  expect(byId.get(2)?.error).toBeDefined();
  expect(byId.get(4)?.result).toMatchObject({ isError: true });
  expect(byId.get(5)?.result).toEqual({});
});
