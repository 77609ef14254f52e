import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { unaskedServers } from '../../src/enforcement/agents/agent-hooks.ts';
import { ANSWER, agentRequest } from '../orchestration/drivers/agent-request.ts';
import { use } from '../orchestration/drivers/driver-benches.ts';
import { Sandbox } from '../support/cli.ts';
import { CLAUDE, ClaudeMachine, done as claudeDone } from './claude/claude-machine.ts';
import {
  COPILOT_PROGRAM,
  CopilotMachine,
  done as copilotDone,
  copilotWith,
} from './copilot/copilot-machine.ts';
import { QWEN_PROGRAM, QwenMachine, done as qwenDone, qwenWith } from './qwen/qwen-machine.ts';
import { HAS_TMUX, TERMINAL_ENV, Terminal } from './terminal/terminal.ts';

const LIMIT = { timeout: 200_000, interval: 500 };

/** Puts a server into the project's `.mcp.json`, and returns whether it was started. */
function addServer(sandbox: Sandbox): () => boolean {
  const started = sandbox.path('shop', 'started');
  const server = { type: 'stdio', command: '/bin/sh', args: ['-c', `echo x > '${started}'`] };
  sandbox.write('shop/.mcp.json', JSON.stringify({ mcpServers: { new: server } }));
  return () => existsSync(started);
}

/** What GuardKit assumes about the agents that read this file. */
describe('servers in a new .mcp.json', () => {
  it.skipIf(!CLAUDE)('are started by Claude Code in -p mode', async () => {
    const machine = new ClaudeMachine();
    const isStarted = addServer(machine.sandbox);
    await machine.run([claudeDone]);
    expect(isStarted()).toBe(true);
  });

  it.skipIf(!CLAUDE || !HAS_TMUX)(
    'are not started by Claude Code in a terminal before the person agrees',
    async () => {
      const machine = new ClaudeMachine();
      const isStarted = addServer(machine.sandbox);
      const server = await machine.serve([claudeDone]);
      const env = { ...machine.env(server), ...TERMINAL_ENV };
      const terminal = new Terminal([String(CLAUDE)], { cwd: machine.project, env });
      await expect.poll(() => terminal.screen, LIMIT).toMatch(/MCP server/i);
      expect(isStarted()).toBe(false);
      expect(unaskedServers('claude', machine.project)).toBeUndefined();
    },
  );

  it.skipIf(!CLAUDE || !HAS_TMUX)('are added by Claude Code in a terminal if the person agrees', async () => {
    const machine = new ClaudeMachine();
    await machine.wire();
    const content = { file_path: join(machine.project, '.mcp.json'), content: '{}' };
    const server = await machine.serve([use('Write', content), claudeDone]);
    const env = { ...machine.env(server), ...TERMINAL_ENV };
    const words = ['--permission-mode', 'acceptEdits', '--allowedTools', 'Write'];
    const terminal = new Terminal([String(CLAUDE), ...words], { cwd: machine.project, env });
    await expect.poll(() => terminal.screen, LIMIT).toMatch(/❯|for shortcuts/);
    terminal.type('Go on');
    await expect.poll(() => terminal.screen, LIMIT).toContain('Go on');
    terminal.type('Enter');
    await expect.poll(() => terminal.screen, LIMIT).toMatch(/create \.mcp\.json\?/);
    expect(machine.exists('.mcp.json')).toBe(false);
    terminal.type('Enter');
    await expect.poll(() => machine.exists('.mcp.json'), LIMIT).toBe(true);
  });

  it.skipIf(COPILOT_PROGRAM === undefined)('are started by Copilot CLI in a trusted folder', async () => {
    const machine = new CopilotMachine();
    machine.trust();
    const isStarted = addServer(machine.sandbox);
    await machine.run([copilotDone]);
    expect(isStarted()).toBe(true);
    expect(unaskedServers('copilot', machine.project)).toBeDefined();
  });

  it.skipIf(QWEN_PROGRAM === undefined)('are started by Qwen Code in yolo mode', async () => {
    const machine = new QwenMachine();
    const isStarted = addServer(machine.sandbox);
    await machine.run([qwenDone]);
    expect(isStarted()).toBe(true);
    expect(unaskedServers('qwen', machine.project)).toBeDefined();
  });

  it.skipIf(QWEN_PROGRAM === undefined)('are not started in a driven run of Qwen Code', async () => {
    const sandbox = new Sandbox();
    onTestFinished(() => sandbox.cleanup());
    const isStarted = addServer(sandbox);
    const { driver, env } = await qwenWith([[{ text: JSON.stringify(ANSWER) }]]);
    const { end } = await driver.run(await agentRequest({ env, folder: sandbox.path('shop') }));
    expect(end).toEqual({ type: 'answered', answer: ANSWER });
    expect(isStarted()).toBe(false);
  });

  it.skipIf(COPILOT_PROGRAM === undefined)('are not started in a driven run of Copilot CLI', async () => {
    const sandbox = new Sandbox();
    onTestFinished(() => sandbox.cleanup());
    const isStarted = addServer(sandbox);
    const { driver, env } = await copilotWith([[{ text: JSON.stringify(ANSWER) }]]);
    const { end } = await driver.run(await agentRequest({ env, folder: sandbox.path('shop') }));
    expect(end).toEqual({ type: 'answered', answer: ANSWER });
    expect(isStarted()).toBe(false);
  });

  it.skipIf(!CLAUDE)('are not added by Claude Code if nobody can be asked', async () => {
    const machine = new ClaudeMachine();
    await machine.wire();
    const content = { file_path: join(machine.project, '.mcp.json'), content: '{}' };
    await machine.run([
      { content: [{ type: 'tool_use', name: 'Write', input: content }] },
      { content: [{ type: 'tool_use', name: 'Bash', input: { command: 'echo {} > .mcp.json' } }] },
      claudeDone,
    ]);
    expect(machine.exists('.mcp.json')).toBe(false);
    expect(machine.refusals().map(([, , guard]) => guard)).toEqual(['protected-set', 'protected-set']);
  });

  it.skipIf(COPILOT_PROGRAM === undefined)('are not added by Copilot CLI', async () => {
    const machine = new CopilotMachine();
    await machine.wire();
    machine.trust();
    const content = { path: machine.at('.mcp.json'), file_text: '{}' };
    await machine.run([
      [{ call: 'create', args: content }],
      [{ call: 'bash', args: { command: 'echo {} > .mcp.json', description: 'x' } }],
      copilotDone,
    ]);
    expect(machine.exists('.mcp.json')).toBe(false);
    expect(machine.refusals().map(([, , guard]) => guard)).toEqual(['protected-set', 'protected-set']);
    expect(readFileSync(machine.at('.github/copilot/settings.json'), 'utf8')).toContain('hooks');
  });
});
