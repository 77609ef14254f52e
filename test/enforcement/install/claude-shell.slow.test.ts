import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { launcherPath } from '../../../src/enforcement/install/hook-launcher.ts';
import { planWiring } from '../../../src/enforcement/install/wire-claude.ts';
import { planShell } from '../../../src/enforcement/install/wire-shell.ts';
import { shellTier } from '../../../src/enforcement/shell/write-launcher.ts';
import { bubblewrap } from '../../support/bubblewrap.ts';
import { type Reply, startMessagesServer } from '../../support/messages-server.ts';
import { WrappedProject } from '../shell/wrapped-project.ts';

const PROGRAM = claudeProgram();
const WITHOUT_PROGRAM = PROGRAM ? '' : ' (the Claude Agent SDK has no program for this system here)';
const DONE: Reply = { content: [{ type: 'text', text: 'Done.' }] };

function claudeProgram(): string | undefined {
  try {
    const { resolve } = createRequire(import.meta.resolve('@anthropic-ai/claude-agent-sdk'));
    return resolve(`@anthropic-ai/claude-agent-sdk-${process.platform}-${process.arch}/claude`);
  } catch {
    return undefined;
  }
}

beforeEach(async (context) => {
  await bubblewrap(context);
});

function bash(command: string, more: Record<string, unknown> = {}): Reply {
  return { content: [{ type: 'tool_use', name: 'Bash', input: { command, ...more } }] };
}

/** The real program in a project with hooks that only record events and their environment. */
class Session extends WrappedProject {
  told = '';

  async wire(shared = false): Promise<void> {
    const program = join(this.data, 'hook.cjs');
    writeFileSync(
      program,
      `const { appendFileSync, readFileSync } = require('node:fs');
       const { hook_event_name, tool_name } = JSON.parse(readFileSync(0, 'utf8'));
       const prefix = process.env.CLAUDE_CODE_SHELL_PREFIX;
       appendFileSync(${JSON.stringify(this.log)}, JSON.stringify({ event: hook_event_name, tool: tool_name, prefix }) + '\\n');`,
    );
    const shell = await planShell({
      git: this.gitFolder,
      dataFolder: this.data,
      env: this.env(),
      home: this.home,
      claudeHome: join(this.home, '.claude'),
    });
    const launcher = { node: process.execPath, program, dataFolder: this.data };
    for (const step of planWiring({ root: this.folder, launcher, shared, shell })) step.perform();
  }

  get log(): string {
    return join(this.top, 'events');
  }

  events(): { event: string; tool?: string; prefix?: string }[] {
    if (!existsSync(this.log)) return [];
    return readFileSync(this.log, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
  }

  async act(...script: Reply[]): Promise<void> {
    const replies = [...script, DONE];
    const server = await startMessagesServer(({ messages }) => {
      const answered = messages.filter(({ role }) => role === 'assistant').length;
      return replies[Math.min(answered, replies.length - 1)] ?? DONE;
    });
    await new Promise<void>((resolve) => {
      const options = ['-p', 'Go on', '--allowedTools', 'Bash,Write', '--permission-mode', 'acceptEdits'];
      const env = { ...server.env(this.home), GUARDKIT_HOME: this.data };
      const child = execFile(String(PROGRAM), options, { cwd: this.folder, env }, () => resolve());
      child.stdin?.end();
    });
    this.told = JSON.stringify(server.requests.map(({ messages }) => messages));
  }
}

describe.skipIf(!PROGRAM)(`the real Claude Code with the prefix${WITHOUT_PROGRAM}`, () => {
  it('runs commands in the sandbox, and hooks outside it that see the prefix', async () => {
    const one = new Session({ names: { data: 'my -data folder' } });
    await one.wire();
    await one.act(
      bash('echo x > .guardkit/config.yaml'),
      bash("echo 'it works' > src/new.js && cd src"),
      bash('pwd > where; git checkout -qb other; exit 7'),
      bash('(echo y > ../tasks/TASK-1.md; echo "background $?" > background)', { run_in_background: true }),
      bash('while [ ! -e background ]; do sleep 0.05; done'),
    );
    expect(one.read('.guardkit/config.yaml')).toBe('project: shop\n');
    expect(one.told).toContain('Read-only file system');
    expect(one.read('src/new.js')).toBe('it works\n');
    expect(one.read('src/where')).toBe(`${one.path('src')}\n`);
    expect(one.git('branch', '--show-current')).toBe('other\n');
    expect(one.told).toContain('Exit code 7');
    expect(one.read('src/background')).toBe('background 1\n');
    expect(one.read('tasks/TASK-1.md')).toBe('one\n');
    const asked = one.events().filter(({ event }) => event === 'PreToolUse');
    expect(asked).toHaveLength(5);
    const env = { CLAUDE_CODE_SHELL_PREFIX: asked[0]?.prefix };
    expect(shellTier(env, one.data, one.gitFolder)).toEqual({ tier: 'kernel' });
  });

  it('runs one hook per event next to a team’s hooks, even if the team’s file disables hooks', async () => {
    const one = new Session();
    await one.wire(true);
    const team = JSON.parse(one.read('.claude/settings.json'));
    one.write('.claude/settings.json', JSON.stringify({ ...team, disableAllHooks: true }));
    await one.act(bash('true'));
    expect(one.events().filter(({ event }) => event === 'PreToolUse')).toHaveLength(1);
  });

  it('does nothing while the launcher of hooks or of commands is missing', async () => {
    const write = (path: string): Reply => ({
      content: [{ type: 'tool_use', name: 'Write', input: { file_path: path, content: 'x' } }],
    });
    const one = new Session();
    await one.wire();
    rmSync(launcherPath(one.data));
    await one.act(bash('echo x > src/b'), write(one.path('src/c')));
    expect([existsSync(one.path('src/b')), existsSync(one.path('src/c'))]).toEqual([false, false]);
    const other = new Session();
    await other.wire();
    rmSync(other.launcher);
    mkdirSync(other.path('later'));
    await other.act(bash('echo x > src/b'), write(other.path('src/c')));
    expect([existsSync(other.path('src/b')), existsSync(other.path('src/c'))]).toEqual([false, true]);
  });
});
