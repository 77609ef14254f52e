import { existsSync, mkdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { cliDriver } from '../../../src/orchestration/drivers/cli/cli-driver.ts';
import { geminiAgent } from '../../../src/orchestration/drivers/cli/gemini.ts';
import type { DriverBench } from '../../orchestration/drivers/driver-benches.ts';
import { Sandbox } from '../../support/cli.ts';
import { type GeminiReply, type GeminiScript, startGeminiServer } from '../../support/gemini-server.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { agentProgram } from '../agent-programs.ts';
import { recordedRefusals, runProgram } from '../machine/agent-machine.ts';
import { outputOf, run } from './gemini-acts.ts';

export const GEMINI = agentProgram('gemini');

const MODEL = 'gemini-2.5-flash';
/** A person's machine with a project under GuardKit, and the real Gemini CLI with a scripted model. */
export class GeminiMachine {
  readonly sandbox = new Sandbox();
  readonly project: string;

  constructor() {
    this.sandbox.emptyRepository('shop');
    this.sandbox.write('shop/.guardkit/config.yaml', 'project: shop-1\n');
    this.sandbox.write('shop/src/cart.js', 'export const cart = [];\n');
    this.sandbox.git('shop', 'add', '-A');
    this.sandbox.commit('shop', 'Begin');
    this.project = this.sandbox.path('shop');
    mkdirSync(this.sandbox.path('home', '.gemini'), { recursive: true });
    this.settings();
    onTestFinished(() => this.sandbox.cleanup());
  }

  /** The person's own settings. */
  settings(more: object = {}): void {
    const auth = { selectedType: 'gemini-api-key' };
    const settings = { security: { auth }, general: { maxAttempts: 1 }, ...more };
    this.sandbox.write('home/.gemini/settings.json', JSON.stringify(settings));
  }

  /** As `guardkit init --agent gemini` does it, with further options. */
  async wire(...more: string[]): Promise<void> {
    await this.sandbox.program(['init', '--agent', 'gemini', '--no-try', ...more], { in: 'shop' });
  }

  /** What the person answers when Gemini CLI asks about the folder. */
  trust(): void {
    const trusted = { [realpathSync(this.project)]: 'TRUST_FOLDER' };
    this.sandbox.write('home/.gemini/trustedFolders.json', JSON.stringify(trusted));
  }

  env(): Record<string, string> {
    const { PATH = '' } = this.sandbox.env;
    return {
      ...this.sandbox.env,
      HOME: this.sandbox.path('home'),
      PATH: `${join(String(GEMINI), '..')}:${PATH}`,
      GEMINI_API_KEY: 'none',
      SHELL: '/bin/bash',
    };
  }

  async doctor(): Promise<Record<string, { outcome: string; code?: string }>> {
    const { stdout } = await this.sandbox.program(['doctor', '--json'], { in: 'shop', env: this.env() });
    const { checks }: { checks: { id: string; outcome: string; code?: string }[] } = JSON.parse(stdout);
    return Object.fromEntries(checks.map((check) => [check.id, check]));
  }

  async run(script: GeminiScript, prompt = 'Go on') {
    const server = await startGeminiServer(script);
    const words = ['-m', MODEL, '-p', prompt, '-o', 'stream-json', '--approval-mode', 'yolo'];
    const { exitCode, stdout, stderr } = await runProgram(String(GEMINI), words, {
      cwd: this.project,
      env: { ...this.env(), GOOGLE_GEMINI_BASE_URL: server.url },
    });
    return { exitCode, stdout, stderr, server };
  }

  exists(path: string): boolean {
    return existsSync(join(this.project, path));
  }

  /** Agent, tool and guard of every refusal on record. */
  refusals(): (string | undefined)[][] {
    return recordedRefusals(this.sandbox.home);
  }
}

export const done: GeminiReply = [{ text: 'All done.' }];

export function geminiEnvironment(url: string, home = temporaryFolder()): NodeJS.ProcessEnv {
  return {
    ...process.env,
    HOME: home,
    GUARDKIT_HOME: join(home, '.guardkit'),
    PATH: `${join(String(GEMINI), '..')}:${process.env.PATH}`,
    GEMINI_API_KEY: 'none',
    GOOGLE_GEMINI_BASE_URL: url,
  };
}

export async function geminiWith(script: GeminiScript) {
  const { url, requests } = await startGeminiServer(script);
  const driver = cliDriver(geminiAgent({ model: MODEL }));
  return { driver, env: geminiEnvironment(url), requests };
}

/** The contract's plays, with the real Gemini CLI. */
export const GEMINI_BENCH: DriverBench = {
  name: 'gemini',
  beginsWithinMs: 8000,
  ...(GEMINI === undefined ? { unavailable: 'Gemini CLI cannot be installed here' } : {}),
  async stage({ write = {}, run: commands = [], end }) {
    const replies: GeminiReply[] = [
      ...Object.entries(write).map(([path, content]) => [outputOf({ write: path, content })]),
      ...commands.map((command) => [run(command)]),
      ...(end === 'crash' ? [[run('kill -9 $PPID; sleep 5')]] : []),
      [{ text: typeof end === 'object' ? `Done: ${JSON.stringify(end.answer)}` : 'I am done.' }],
    ];
    return geminiWith(replies);
  },
};
