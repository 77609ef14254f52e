import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { claudeProgram } from '../../orchestration/drivers/driver-benches.ts';
import { Sandbox } from '../../support/cli.ts';
import { type MessagesServer, type Reply, startMessagesServer } from '../../support/messages-server.ts';
import { recordedRefusals } from '../machine/agent-machine.ts';

export const CLAUDE = claudeProgram();

export const done: Reply = { content: [{ type: 'text', text: 'All done.' }] };

/** A person's machine with a project under GuardKit, and the real Claude Code with a scripted model. */
export class ClaudeMachine {
  readonly sandbox = new Sandbox();
  readonly project: string;

  constructor() {
    this.sandbox.emptyRepository('shop');
    this.sandbox.write('shop/.guardkit/config.yaml', 'project: shop-1\n');
    this.sandbox.write('shop/src/cart.js', 'export const cart = [];\n');
    this.sandbox.git('shop', 'add', '-A');
    this.sandbox.commit('shop', 'Begin');
    this.project = this.sandbox.path('shop');
    // The person has started Claude Code before, and trusts the folder.
    const state = {
      hasCompletedOnboarding: true,
      theme: 'dark',
      bypassPermissionsModeAccepted: true,
      projects: { [this.project]: { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true } },
    };
    this.sandbox.write('home/.claude.json', JSON.stringify(state));
    onTestFinished(() => this.sandbox.cleanup());
  }

  /** As `guardkit init --agent claude` does it. */
  async wire(): Promise<void> {
    await this.sandbox.program(['init', '--agent', 'claude', '--no-try'], { in: 'shop' });
  }

  /** The model's replies in turn; requests without tools are for titles and the like. */
  async serve(replies: readonly Reply[]): Promise<MessagesServer> {
    return startMessagesServer(({ messages, tools }) => {
      if (tools.length === 0) return { content: [{ type: 'text', text: 'A title' }] };
      const answered = messages.filter(({ role }) => role === 'assistant').length;
      return replies[Math.min(answered, replies.length - 1)] ?? done;
    });
  }

  env(server: MessagesServer): Record<string, string> {
    const { ANTHROPIC_API_KEY: _asksThePerson, ...env } = server.env(this.sandbox.path('home'));
    return { ...this.sandbox.env, ...env, ANTHROPIC_AUTH_TOKEN: 'none', SHELL: '/bin/bash' };
  }

  async run(replies: readonly Reply[], more: readonly string[] = []) {
    const server = await this.serve(replies);
    const output = await new Promise<string>((resolve) => {
      const words = ['-p', 'Go on', '--output-format', 'stream-json', '--verbose'];
      const child = execFile(
        String(CLAUDE),
        [...words, '--permission-mode', 'acceptEdits', '--allowedTools', 'Bash,Write,Edit,Read', ...more],
        { cwd: this.project, env: this.env(server), timeout: RUN_LIMIT_MS, killSignal: 'SIGKILL' },
        (_error, stdout, stderr) => resolve(`${stdout}\n${stderr}`),
      );
      child.stdin?.end();
    });
    return { server, output };
  }

  async doctor(): Promise<Record<string, { outcome: string; code?: string }>> {
    const { stdout } = await this.sandbox.program(['doctor', '--json'], {
      in: 'shop',
      env: { ...this.sandbox.env, HOME: this.sandbox.path('home') },
    });
    const { checks }: { checks: { id: string; outcome: string; code?: string }[] } = JSON.parse(stdout);
    return Object.fromEntries(checks.map((check) => [check.id, check]));
  }

  exists(path: string): boolean {
    return existsSync(join(this.project, path));
  }

  /** Agent, tool and guard of every refusal on record. */
  refusals(): (string | undefined)[][] {
    return recordedRefusals(this.sandbox.home);
  }
}

/** A run that takes longer hangs. */
const RUN_LIMIT_MS = 600_000;
