import { spawn } from 'node:child_process';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { readProcess } from '../../src/platform/processes/process-table.ts';
import { openLedger } from '../../src/store/ledger/open-ledger.ts';
import { WatchTables } from '../../src/store/ledger/tables/watch-tables.ts';
import { bubblewrap } from '../support/bubblewrap.ts';
import { PROGRAM, Sandbox } from '../support/cli.ts';
import { LIST_PATH, listText } from '../support/hooked-project.ts';
import { WrappedAgent } from '../support/wrapped-agent.ts';

const PROJECT = 'shop-1';
const sandbox = new Sandbox();
let agent: WrappedAgent;

beforeAll(async () => {
  sandbox.emptyRepository('shop');
  sandbox.write('shop/.guardkit/config.yaml', `project: ${PROJECT}\n`);
  sandbox.git('shop', 'add', '-A');
  sandbox.commit('shop', 'Begin');
  sandbox.write(`shop/${LIST_PATH}`, listText([{ id: 'FEAT-1' }]));
  await sandbox.guardkit(['init', '--yes', '--no-agent'], { in: 'shop' });
  agent = new WrappedAgent(sandbox, 'shop');
});
beforeEach(async (context) => {
  await bubblewrap(context);
  expect(await agent.startBroker()).toBe(true);
});
afterAll(() => {
  agent.endBrokers('SIGKILL');
  sandbox.cleanup();
});

function ledger<Result>(use: (opened: ReturnType<typeof openLedger>) => Result): Result {
  const opened = openLedger({ path: sandbox.path('data', 'ledger.db') });
  try {
    return use(opened);
  } finally {
    opened.close();
  }
}

describe('the MCP server inside the wrapper', () => {
  async function connect(): Promise<Client> {
    const [command, ...args] = agent.wrapped([process.execPath, PROGRAM, 'mcp']);
    const client = new Client({ name: 'test', version: '1' });
    onTestFinished(() => client.close());
    const cwd = sandbox.path('shop');
    await client.connect(
      new StdioClientTransport({ command, args, cwd, env: sandbox.env, stderr: 'ignore' }),
    );
    return client;
  }

  it('runs the tools outside, with an agent’s rights, in its start folder', async () => {
    const client = await connect();
    const text = async (name: string, input: Record<string, unknown>) =>
      JSON.stringify(await client.callTool({ name, arguments: input }));
    expect(await text('next_action', {})).toContain('FEAT-1');
    expect(await text('feature_update', { id: 'FEAT-1', notes: 'begun' })).not.toContain('isError');
    expect(ledger((opened) => JSON.stringify(opened.entries(PROJECT)))).toContain('begun');
  });

  it('works for two agents at the same time', async () => {
    const clients = await Promise.all([connect(), connect()]);
    const tools = await Promise.all(clients.map((client) => client.listTools()));
    expect(tools.map(({ tools: all }) => all.length > 5)).toEqual([true, true]);
    expect(agent.brokers()).toHaveLength(1);
  });

  it('ends with the broker', async () => {
    const client = await connect();
    const closed = new Promise<void>((resolve) => {
      client.onclose = resolve;
    });
    agent.endBrokers('SIGKILL');
    await closed;
  });

  it('waits for a broker that starts later', async () => {
    agent.endBrokers();
    await expect.poll(() => agent.brokers()).toEqual([]);
    const connecting = connect();
    expect(await agent.startBroker()).toBe(true);
    expect((await (await connecting).listTools()).tools.length).toBeGreaterThan(5);
  });
});

describe('hooks of an agent inside an agent', () => {
  function hook(payload: Record<string, unknown>) {
    const input = JSON.stringify({
      session_id: 'nested-1',
      cwd: sandbox.path('shop'),
      permission_mode: 'bypassPermissions',
      tool_use_id: 'tool-1',
      ...payload,
    });
    return agent.guardkit(['hook', 'claude'], {
      input,
      env: { CLAUDECODE: '1', CLAUDE_PROJECT_DIR: sandbox.path('shop') },
    });
  }

  const use = (tool_name: string, tool_input: Record<string, unknown>) => ({
    hook_event_name: 'PreToolUse',
    tool_name,
    tool_input,
  });

  it('are answered outside', async () => {
    expect(await hook({ hook_event_name: 'SessionStart', source: 'startup' })).toMatchObject({ exitCode: 0 });
    expect(await hook(use('Bash', { command: 'ls' }))).toMatchObject({ exitCode: 0, stdout: '' });
    const settings = sandbox.path('shop', '.claude/settings.local.json');
    const denied = await hook(use('Write', { file_path: settings, content: '{}' }));
    expect(JSON.parse(denied.stdout)).toMatchObject({ hookSpecificOutput: { permissionDecision: 'deny' } });
  });

  it('refuse without a broker', async () => {
    agent.endBrokers();
    await expect.poll(() => agent.brokers()).toEqual([]);
    expect((await hook(use('Bash', { command: 'ls' }))).exitCode).toBe(2);
  });

  it('cannot send events for the session outside', async () => {
    const program = spawn('sleep', ['600'], { stdio: 'ignore' });
    onTestFinished(() => void program.kill('SIGKILL'));
    const row = readProcess(Number(program.pid));
    const body = {
      agent: 'claude',
      checkout: sandbox.path('shop'),
      process: { pid: row?.pid, started: row?.started },
      driven: false,
      types: [],
      ended: false,
    };
    const times = { began_at: Date.now(), seen_at: Date.now() };
    ledger((opened) =>
      new WatchTables(opened).setSession({
        project: PROJECT,
        session: 'outer-1',
        ...times,
        body: JSON.stringify(body),
      }),
    );
    await hook({ session_id: 'outer-1', hook_event_name: 'SessionEnd', reason: 'exit' });
    const forged = await hook({ session_id: 'outer-1', ...use('Bash', { command: 'ls' }) });
    expect(forged.exitCode).toBe(2);
    const recorded = ledger((opened) => opened.entries(PROJECT, { kind: 'violation_recorded' }));
    expect(recorded.map(({ body: { guard } }) => guard)).toEqual(['hook-forgery', 'hook-forgery']);
    const session = ledger((opened) => new WatchTables(opened).session(PROJECT, 'outer-1'));
    expect(JSON.parse(session?.body ?? '{}')).toMatchObject({ ended: false });
  });
});
