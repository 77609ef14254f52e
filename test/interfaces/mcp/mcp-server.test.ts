import { ErrorCode } from '@modelcontextprotocol/sdk/types.js';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv';
import { expect, it } from 'vitest';
import * as z from 'zod';
import { TASK_TOOLS } from '../../../src/domain/entities/tool-role.ts';
import { GuardKitError } from '../../../src/guardkit-error.ts';
import { defineTool, MAX_ANSWER, type McpTool } from '../../../src/interfaces/mcp/mcp-tool.ts';
import { TOOLS, toolsFor } from '../../../src/interfaces/mcp/tools/tools.ts';
import { HookedProject } from '../../support/hooked-project.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { McpCaller } from './mcp-client.ts';

/** A call of each tool that fits its schema. */
const CALLS: Record<string, Record<string, unknown>> = {
  next_action: {},
  feature_update: { id: 'FEAT-1', notes: 'begun' },
  turn_history: { id: 'FEAT-1' },
  search_memory: { query: 'anything' },
  get_entity: { id: 'FEAT-1' },
  knowledge_query: { text: 'store' },
  knowledge_update: {
    operation: 'add_node',
    name: 'store',
    type: 'datastore',
    level: 'architecture',
    status: 'current',
    description: 'Keeps things',
  },
  query_logs: {},
  verify_feature: { id: 'FEAT-1' },
  query_traces: { text: 'anything' },
  store_trace: { type: 'decision', event: { what_happened: 'Chose SQLite' } },
  extract_patterns: {},
  create_guard: { pattern: 'PATTERN-1' },
};

function worldOf(project: HookedProject) {
  return { cwd: project.folder, env: project.personEnv() };
}

it('the official client lists every tool, by a schema that a validator takes and that knows no other parameter', async () => {
  const caller = await McpCaller.connect(worldOf(new HookedProject()));
  const { tools } = await caller.client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(TOOLS.map(({ name }) => name));
  const validator = new AjvJsonSchemaValidator();
  for (const { name, description = '', inputSchema } of tools) {
    expect(name).toMatch(/^[a-z]+(?:_[a-z]+)*$/);
    expect(description.length).toBeLessThan(160);
    expect(inputSchema).toMatchObject({ type: 'object', additionalProperties: false });
    const validate = validator.getValidator(inputSchema);
    expect([name, validate(CALLS[name]).valid]).toEqual([name, true]);
    expect([name, validate({ ...CALLS[name], made_up: 1 }).valid]).toEqual([name, false]);
  }
});

it('all that a model reads of the tools in every session is short', async () => {
  const caller = await McpCaller.connect(worldOf(new HookedProject()));
  const { tools } = await caller.client.listTools();
  // Four characters a token, more or less.
  expect(JSON.stringify(tools).length / 4).toBeLessThan(4000);
});

it('every tool is called, and answers or says what to do instead', async () => {
  const caller = await McpCaller.connect(worldOf(new HookedProject()));
  expect(Object.keys(CALLS).sort()).toEqual(TOOLS.map(({ name }) => name).sort());
  for (const [name, input] of Object.entries(CALLS)) {
    const { text, code } = await caller.call(name, input);
    expect([name, text]).toEqual([name, expect.stringMatching(/\S/)]);
    expect(code).not.toBe('unexpected');
  }
});

it('a tool that is called wrongly tells a model how to call it [MCP-2]', async () => {
  const caller = await McpCaller.connect(worldOf(new HookedProject()));
  const { tools } = await caller.client.listTools();
  for (const { name, inputSchema } of tools) {
    const parameters = Object.keys(inputSchema.properties ?? {});
    const call = CALLS[name] ?? {};
    for (const input of [
      { made_up: 1 },
      { id: { deep: [] }, query: 7, path: 7, text: [], operation: 7 },
      { ...call, tested: true },
      Object.fromEntries(Object.keys(call).map((key) => [key, null])),
    ]) {
      const { text, refused, code } = await caller.call(name, input);
      // What may be left out may all be null.
      if (Object.values(input).every((value) => value === null) && !refused) continue;
      expect([name, input, refused]).toEqual([name, input, true]);
      expect(code).toMatch(/^(?:call\.wrong|request\.|node\.|edge\.)/);
      if (code === 'call.wrong') for (const taken of parameters) expect(text).toContain(taken);
    }
  }
});

it('a tool that does not exist is refused with the nearest that does', async () => {
  const caller = await McpCaller.connect(worldOf(new HookedProject()));
  await expect(caller.call('knowlege_update')).rejects.toMatchObject({
    code: ErrorCode.InvalidParams,
    message: expect.stringMatching(/"knowlege_update".*knowledge_update/),
  });
  await expect(caller.call('__proto__')).rejects.toMatchObject({ code: ErrorCode.InvalidParams });
});

it('an agent of a build is offered what its task needs and nothing else', () => {
  expect(toolsFor('player').map(({ name }) => name)).toEqual(
    TOOLS.map(({ name }) => name).filter((name) => TASK_TOOLS.includes(name)),
  );
  expect(TASK_TOOLS.filter((name) => !TOOLS.some((tool) => tool.name === name))).toEqual([]);
  for (const name of ['feature_update', 'verify_feature', 'create_guard', 'next_action'])
    expect(toolsFor('planner').map((tool) => tool.name)).not.toContain(name);
});

it('outside of a project everything is listed, and what needs one says so', async () => {
  const folder = temporaryFolder();
  const caller = await McpCaller.connect({
    cwd: folder,
    env: { HOME: folder, GUARDKIT_HOME: `${folder}/data` },
  });
  expect((await caller.client.listTools()).tools).toHaveLength(TOOLS.length);
  for (const name of [
    'next_action',
    'feature_update',
    'verify_feature',
    'turn_history',
    'knowledge_update',
  ]) {
    const { code, refused } = await caller.call(name, CALLS[name]);
    expect([name, refused, code]).toEqual([name, true, 'project.unknown']);
  }
});

it('a configuration with faults breaks no list, and every caller is told', async () => {
  const project = new HookedProject();
  project.write('.guardkit/config.yaml', 'project: [\n');
  const caller = await McpCaller.connect(worldOf(project));
  expect((await caller.client.listTools()).tools).toHaveLength(TOOLS.length);
  const { text, refused, code } = await caller.call('next_action');
  expect([refused, code]).toEqual([true, 'config.invalid']);
  expect(text).toContain('config.yaml');
});

it('a project’s own types are among the values that a model may give', async () => {
  const project = new HookedProject();
  project.write('.guardkit/config.yaml', 'project: shop-1\narchitecture:\n  types: [queue]\n');
  const caller = await McpCaller.connect(worldOf(project));
  const { tools } = await caller.client.listTools();
  const update = tools.find(({ name }) => name === 'knowledge_update');
  expect(JSON.stringify(update?.inputSchema.properties?.type)).toContain('"queue"');
  const { refused } = await caller.call('knowledge_update', { ...CALLS.knowledge_update, type: 'queue' });
  expect(refused).toBe(false);
});

function answering(run: McpTool['run']): McpTool {
  return defineTool({
    name: 'own',
    description: 'A test’s own',
    readOnly: true,
    input: z.strictObject({}),
    run,
  });
}

it('an answer is bounded, in whole lines and without what is not seen', async () => {
  const project = new HookedProject();
  const text = `${'a line\u0007\u202e of a text\n'.repeat(50_000)}`;
  const caller = await McpCaller.connect(worldOf(project), [answering(async () => ({ text }))]);
  const answered = await caller.call('own');
  expect(answered.text.length).toBeLessThan(MAX_ANSWER + 200);
  expect(answered.text.split('\n').slice(0, 3)).toEqual(Array(3).fill('a line of a text'));
  expect(answered.text).toMatch(/\n… \d+ .*$/);
});

it('what goes wrong in a tool is an answer, and the next call works', async () => {
  const failures = [
    new Error('the disk is full'),
    new GuardKitError({ code: 'x', kind: 'refused', message: 'It is locked.', hint: 'Wait.' }),
  ];
  const tool = answering(async () => {
    const failure = failures.shift();
    if (failure) throw failure;
    return { text: 'fine' };
  });
  const caller = await McpCaller.connect(worldOf(new HookedProject()), [tool]);
  expect(await caller.call('own')).toEqual({
    refused: true,
    code: 'unexpected',
    text: expect.stringContaining('the disk is full'),
  });
  expect(await caller.call('own')).toEqual({ refused: true, code: 'x', text: 'It is locked.\nWait.' });
  expect(await caller.call('own')).toEqual({ refused: false, text: 'fine' });
});
