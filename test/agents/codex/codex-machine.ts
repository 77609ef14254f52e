import { appendFileSync, existsSync, mkdirSync, readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { codexTrust } from '../../../src/enforcement/agents/codex.ts';
import type { ClaudeSettings } from '../../../src/enforcement/install/claude-settings.ts';
import { CODEX_HOOKS } from '../../../src/enforcement/install/wire-codex.ts';
import { Sandbox } from '../../support/cli.ts';
import {
  type ResponsesScript,
  type ResponsesServer,
  startResponsesServer,
} from '../../support/responses-server.ts';
import { agentProgram } from '../agent-programs.ts';
import { recordedRefusals, runProgram } from '../machine/agent-machine.ts';

export const CODEX = agentProgram('codex');

/** A model with direct tools, and one that calls tools from JavaScript. */
export type CodexModel = 'gpt-5.5' | 'gpt-6-sol';

export interface CodexRun {
  exitCode: number | null;
  events: { type: string; item?: { type: string; text?: string } }[];
  stderr: string;
  server: ResponsesServer;
}

interface CodexWords {
  model?: CodexModel;
  args?: string[];
  prompt?: string;
  /** Use the sandbox of the person's and the project's settings. */
  ownSandbox?: boolean;
}

/** A person's machine with a project under GuardKit, and the real Codex with a scripted model. */
export class CodexMachine {
  readonly sandbox = new Sandbox();
  readonly project: string;
  readonly codexHome: string;

  /** Codex's own sandbox does not work if its folder is in the folder for temporary files. */
  constructor(codexHome?: string) {
    this.sandbox.emptyRepository('shop');
    this.sandbox.write('shop/.guardkit/config.yaml', 'project: shop-1\n');
    this.sandbox.write('shop/src/cart.js', 'export const cart = [];\n');
    this.sandbox.git('shop', 'add', '-A');
    this.sandbox.commit('shop', 'Begin');
    this.project = this.sandbox.path('shop');
    this.codexHome = codexHome ?? this.sandbox.path('home', '.codex');
    mkdirSync(this.codexHome, { recursive: true });
    onTestFinished(() => this.sandbox.cleanup());
  }

  /** As `guardkit init --agent codex` does it, with further options. */
  async wire(...more: string[]): Promise<void> {
    await this.sandbox.program(['init', '--agent', 'codex', '--no-try', ...more], { in: 'shop' });
  }

  /** Adds to the person's own settings. */
  configure(text: string): void {
    appendFileSync(join(this.codexHome, 'config.toml'), text);
  }

  /** What the person does in /hooks. */
  trust(hooksFile = join(this.project, CODEX_HOOKS)): void {
    const { hooks = {} }: ClaudeSettings = JSON.parse(readFileSync(hooksFile, 'utf8'));
    const trusted = Object.entries(hooks).map(([event, [group]]) => {
      const { command = '', timeout = 0 } = group?.hooks?.[0] ?? {};
      return { event, command, timeout };
    });
    const config = join(this.codexHome, 'config.toml');
    const folder = `[projects.${JSON.stringify(realpathSync(this.project))}]`;
    // Codex itself may have added the folder.
    const known = existsSync(config) && readFileSync(config, 'utf8').includes(folder);
    const trusts = known ? '' : `\n${folder}\ntrust_level = "trusted"\n`;
    appendFileSync(config, `${trusts}\n${codexTrust(hooksFile, trusted)}`);
  }

  /** What `doctor` finds, by check. */
  async doctor(): Promise<Record<string, { outcome: string; code?: string }>> {
    const { stdout } = await this.sandbox.program(['doctor', '--json'], { in: 'shop', env: this.env() });
    const { checks }: { checks: { id: string; outcome: string; code?: string }[] } = JSON.parse(stdout);
    return Object.fromEntries(checks.map((check) => [check.id, check]));
  }

  env(): Record<string, string> {
    const { PATH = '' } = this.sandbox.env;
    return {
      ...this.sandbox.env,
      PATH: `${join(String(CODEX), '..')}:${PATH}`,
      CODEX_HOME: this.codexHome,
      LOOP_KEY: 'none',
      SHELL: '/bin/bash',
    };
  }

  async run(
    script: ResponsesScript,
    { model = 'gpt-5.5', args = [], prompt = 'Go on', ownSandbox = false }: CodexWords = {},
  ) {
    const server = await startResponsesServer(script);
    const provider = loopProvider(server.url);
    const sandbox = ownSandbox ? [] : ['-s', 'danger-full-access'];
    const words = ['exec', '--json', '-m', model, ...sandbox, ...provider, ...args, prompt];
    const { exitCode, stdout, stderr } = await runProgram(String(CODEX), words, {
      cwd: this.project,
      env: this.env(),
      limitMs: RUN_LIMIT_MS,
    });
    const events = stdout
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line));
    return { exitCode, events, stderr, server } satisfies CodexRun;
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

/** The words that make Codex talk to a scripted model. */
export function loopProvider(url: string): string[] {
  return [
    'model_provider="loop"',
    'model_providers.loop.name="Loop"',
    `model_providers.loop.base_url="${url}"`,
    'model_providers.loop.env_key="LOOP_KEY"',
    'model_providers.loop.wire_api="responses"',
    'model_providers.loop.stream_max_retries=0',
  ].flatMap((setting) => ['-c', setting]);
}

export const shell = (cmd: string, more: Record<string, unknown> = {}) => ({
  call: 'exec_command',
  args: { cmd, ...more },
});

export const patch = (...lines: string[]) => ({
  custom: 'apply_patch',
  input: ['*** Begin Patch', ...lines, '*** End Patch', ''].join('\n'),
});

export const done = [{ text: 'All done.' }];

/** A run that takes longer hangs. */
const RUN_LIMIT_MS = 600_000;
