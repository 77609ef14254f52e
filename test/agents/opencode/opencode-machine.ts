import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { cliDriver } from '../../../src/orchestration/drivers/cli/cli-driver.ts';
import { opencodeAgent } from '../../../src/orchestration/drivers/cli/opencode.ts';
import type { DriverBench } from '../../orchestration/drivers/driver-benches.ts';
import { type ChatReply, type ChatScript, startChatServer } from '../../support/chat-server.ts';
import { Sandbox } from '../../support/cli.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { agentProgram } from '../agent-programs.ts';
import { recordedRefusals, runProgram } from '../machine/agent-machine.ts';
import { outputOf, run } from './opencode-acts.ts';

export const OPENCODE = agentProgram('opencode');

const MODEL = 'loop/m';

export function loopProvider(url: string): Record<string, unknown> {
  const cost = { input: 1, output: 2, cache_read: 0.1 };
  return {
    loop: {
      npm: '@ai-sdk/openai-compatible',
      options: { baseURL: url, apiKey: 'none' },
      models: { m: { tool_call: true, limit: { context: 128_000, output: 8000 }, cost } },
    },
  };
}

/** Otherwise OpenCode waits for npm to install a package that plugins may import. */
export function installPluginPackage(folder: string): void {
  mkdirSync(join(folder, 'node_modules'), { recursive: true });
  const dependencies = { '@opencode-ai/plugin': '*' };
  const lock = { packages: { '': { dependencies } } };
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(lock));
}

/** A person's machine with a project under GuardKit, and the real OpenCode with a scripted model. */
export class OpencodeMachine {
  readonly sandbox = new Sandbox();
  readonly project: string;

  constructor() {
    this.sandbox.emptyRepository('shop');
    this.sandbox.write('shop/.guardkit/config.yaml', 'project: shop-1\n');
    this.sandbox.write('shop/src/cart.js', 'export const cart = [];\n');
    this.sandbox.git('shop', 'add', '-A');
    this.sandbox.commit('shop', 'Begin');
    this.project = this.sandbox.path('shop');
    for (const folder of ['home/.config/opencode', 'shop/.opencode'])
      installPluginPackage(this.sandbox.path(folder));
    onTestFinished(() => this.sandbox.cleanup());
  }

  /** As `guardkit init --agent opencode` does it, with further options. */
  async wire(...more: string[]): Promise<void> {
    await this.sandbox.program(['init', '--agent', 'opencode', '--no-try', ...more], {
      in: 'shop',
      env: this.env(),
    });
  }

  env(): Record<string, string> {
    const { PATH = '' } = this.sandbox.env;
    return {
      ...this.sandbox.env,
      HOME: this.sandbox.path('home'),
      PATH: `${join(String(OPENCODE), '..')}:${PATH}`,
      OPENCODE_DISABLE_MODELS_FETCH: '1',
      OPENCODE_DISABLE_AUTOUPDATE: '1',
      SHELL: '/bin/bash',
    };
  }

  async doctor(
    env: Record<string, string> = {},
  ): Promise<Record<string, { outcome: string; code?: string }>> {
    const { stdout } = await this.sandbox.program(['doctor', '--json'], {
      in: 'shop',
      env: { ...this.env(), ...env },
    });
    const { checks }: { checks: { id: string; outcome: string; code?: string }[] } = JSON.parse(stdout);
    return Object.fromEntries(checks.map((check) => [check.id, check]));
  }

  /** The person's own settings. */
  settings(url: string, more: object = {}): void {
    const settings = {
      model: MODEL,
      small_model: MODEL,
      provider: loopProvider(url),
      share: 'disabled',
      ...more,
    };
    writeFileSync(this.sandbox.path('home/.config/opencode/opencode.json'), JSON.stringify(settings));
  }

  async run(
    script: ChatScript,
    more: { settings?: object; env?: Record<string, string>; args?: string[] } = {},
  ) {
    const server = await startChatServer(script);
    this.settings(server.url, more.settings);
    const words = ['run', '--format', 'json', '--title', 'Test', ...(more.args ?? []), 'Go on'];
    const { exitCode, stdout, stderr } = await runProgram(String(OPENCODE), words, {
      cwd: this.project,
      env: { ...this.env(), PWD: this.project, ...more.env },
    });
    return { exitCode, stdout, stderr, server };
  }

  exists(path: string): boolean {
    return existsSync(join(this.project, path));
  }

  read(path: string): string {
    return readFileSync(join(this.project, path), 'utf8');
  }

  /** Agent, tool and guard of every refusal on record. */
  refusals(): (string | undefined)[][] {
    return recordedRefusals(this.sandbox.home);
  }
}

export const done: ChatReply = [{ text: 'All done.' }];

export async function opencodeWith(script: ChatScript, home = temporaryFolder()) {
  const { url, requests } = await startChatServer(script);
  const driver = cliDriver(opencodeAgent({ model: MODEL, provider: loopProvider(url) }));
  const env = {
    ...process.env,
    HOME: home,
    GUARDKIT_HOME: join(home, '.guardkit'),
    PATH: `${join(String(OPENCODE), '..')}:${process.env.PATH}`,
    OPENCODE_DISABLE_MODELS_FETCH: '1',
  };
  return { driver, env, requests };
}

/** The contract's plays, with the real OpenCode. */
export const OPENCODE_BENCH: DriverBench = {
  name: 'opencode',
  beginsWithinMs: 8000,
  ...(OPENCODE === undefined ? { unavailable: 'OpenCode cannot be installed here' } : {}),
  async stage({ write = {}, run: commands = [], end }) {
    const replies: ChatReply[] = [
      ...Object.entries(write).map(([path, content]) => [outputOf({ write: path, content })]),
      ...commands.map((command) => [run(command)]),
      ...(end === 'crash' ? [[run('kill -9 $PPID; sleep 5')]] : []),
      [{ text: typeof end === 'object' ? `Done: ${JSON.stringify(end.answer)}` : 'I am done.' }],
    ];
    return opencodeWith(replies);
  },
};
