import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { expect, it, onTestFinished } from 'vitest';
import { claudeProgram, use } from '../orchestration/drivers/driver-benches.ts';
import { bubblewrap } from '../support/bubblewrap.ts';
import { PROGRAM, Sandbox } from '../support/cli.ts';
import { LIST_PATH, listText } from '../support/hooked-project.ts';
import { type Reply, startMessagesServer } from '../support/messages-server.ts';
import { WrappedAgent } from '../support/wrapped-agent.ts';

const WITHOUT_PROGRAM = claudeProgram() ? '' : ' (the Claude Agent SDK has no program for this system here)';

it.skipIf(WITHOUT_PROGRAM !== '')(
  `commands and tools of the real Claude Code reach GuardKit through the broker${WITHOUT_PROGRAM}`,
  async (context) => {
    await bubblewrap(context);
    const sandbox = new Sandbox();
    onTestFinished(() => sandbox.cleanup());
    sandbox.repository('shop');
    sandbox.write(`shop/${LIST_PATH}`, listText([{ id: 'FEAT-1' }]));
    const { exitCode } = await sandbox.program(['init', '--yes', '--agent', 'claude', '--mcp'], {
      in: 'shop',
    });
    expect(exitCode).toBe(0);
    const settings = readFileSync(sandbox.path('shop/.claude/settings.local.json'), 'utf8');
    expect(JSON.parse(settings)).toMatchObject({
      env: { CLAUDE_CODE_SHELL_PREFIX: expect.stringContaining(sandbox.home) },
    });
    const agent = new WrappedAgent(sandbox, 'shop');
    onTestFinished(() => agent.endBrokers('SIGKILL'));
    // The session has to start it again.
    agent.endBrokers();
    await expect.poll(() => agent.brokers()).toEqual([]);
    const bash = (command: string) => use('Bash', { command });
    const script: Reply[] = [
      bash(`touch '${sandbox.home}/own' || echo "the data folder is read-only"`),
      bash(`${PROGRAM} feature next`),
      bash(`${PROGRAM} task create 'Carts hold items' --json`),
      use('mcp__guardkit__feature_update', { id: 'FEAT-1', status: 'completed', notes: 'by the tool' }),
      { content: [{ type: 'text', text: 'All done.' }] },
    ];
    const server = await startMessagesServer(({ messages }) => {
      const answered = messages.filter(({ role }) => role === 'assistant').length;
      return script[Math.min(answered, script.length - 1)] as Reply;
    });
    const words = ['-p', 'Go on', '--mcp-config', '.mcp.json', '--allowedTools', 'mcp__guardkit,Bash'];
    await new Promise<void>((resolve) => {
      const child = execFile(
        String(claudeProgram()),
        words,
        {
          cwd: sandbox.path('shop'),
          env: { ...server.env(sandbox.path('home')), ...sandbox.env, MCP_CONNECTION_NONBLOCKING: '0' },
        },
        () => resolve(),
      );
      child.stdin?.end();
    });
    const told = JSON.stringify(server.requests.at(-1)?.messages);
    expect(told).toContain('read-only');
    expect(told).toContain('FEAT-1');
    expect(told).toContain('tasks/TASK-001-carts-hold-items.md');
    expect(existsSync(sandbox.path('shop/tasks/TASK-001-carts-hold-items.md'))).toBe(true);
    expect(told).toMatch(/FEAT-1\b.{0,20}\bcompleted\b/);
    expect(agent.brokers()).toHaveLength(1);
  },
  90_000,
);
