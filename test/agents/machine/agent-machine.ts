import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { openLedger } from '../../../src/store/ledger/open-ledger.ts';
import { Sandbox } from '../../support/cli.ts';

/** A run that takes longer hangs. */
const RUN_LIMIT_MS = 600_000;

/** A person's machine with a project under GuardKit, and the real program of an agent. */
export class AgentMachine {
  readonly sandbox = new Sandbox();
  readonly project: string;
  readonly #agent: string;
  readonly #program: string;

  constructor(agent: string, program: string | undefined) {
    this.#agent = agent;
    this.#program = String(program);
    this.sandbox.emptyRepository('shop');
    this.sandbox.write('shop/.guardkit/config.yaml', 'project: shop-1\n');
    this.sandbox.write('shop/src/cart.js', 'export const cart = [];\n');
    this.sandbox.git('shop', 'add', '-A');
    this.sandbox.commit('shop', 'Begin');
    this.project = this.sandbox.path('shop');
    onTestFinished(() => this.sandbox.cleanup());
  }

  /** As `guardkit init --agent NAME` does it, with further options. */
  async wire(...more: string[]): Promise<void> {
    await this.sandbox.program(['init', '--agent', this.#agent, '--no-try', ...more], {
      in: 'shop',
      env: this.env(),
    });
  }

  /** Adds a guard that holds back a session until tests have passed. */
  guardStops(): void {
    this.sandbox.write('shop/.guardkit/guards/stop.yaml', STOP_GUARD);
    this.sandbox.git('shop', 'add', '-A');
    this.sandbox.commit('shop', 'Guard');
  }

  env(): Record<string, string> {
    const { PATH = '' } = this.sandbox.env;
    return {
      ...this.sandbox.env,
      HOME: this.sandbox.path('home'),
      PATH: `${join(this.#program, '..')}:${PATH}`,
      SHELL: '/bin/bash',
    };
  }

  async doctor(): Promise<Record<string, { outcome: string; code?: string }>> {
    const { stdout } = await this.sandbox.program(['doctor', '--json'], { in: 'shop', env: this.env() });
    const { checks }: { checks: { id: string; outcome: string; code?: string }[] } = JSON.parse(stdout);
    return Object.fromEntries(checks.map((check) => [check.id, check]));
  }

  start(words: readonly string[], env: Record<string, string>) {
    return runProgram(this.#program, words, { cwd: this.project, env: { ...this.env(), ...env } });
  }

  at(path: string): string {
    return join(this.project, path);
  }

  exists(path: string): boolean {
    return existsSync(this.at(path));
  }

  /** Agent, tool and guard of every refusal on record. */
  refusals(): (string | undefined)[][] {
    return recordedRefusals(this.sandbox.home);
  }
}

const STOP_GUARD = `id: verified-first
summary: Nothing is done before its tests have passed.
kinds: [stop]
requires: tests
reason: The work is not verified.
guidance: Run guardkit verify first.
`;

interface ProgramRun {
  exitCode: number | null;
  stdout: string;
  stderr: string;
}

/** Runs an agent's program to its end; one that hangs is killed with its group. */
export async function runProgram(
  program: string,
  words: readonly string[],
  { cwd, env, limitMs = RUN_LIMIT_MS }: { cwd: string; env: NodeJS.ProcessEnv; limitMs?: number },
): Promise<ProgramRun> {
  const child = spawn(program, words, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  const limit = setTimeout(() => process.kill(-Number(child.pid), 'SIGKILL'), limitMs);
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const exitCode = await new Promise<number | null>((resolve) => child.once('close', resolve));
  clearTimeout(limit);
  return { exitCode, stdout, stderr };
}

/** Agent, tool and guard of every refusal in a data folder. */
export function recordedRefusals(dataFolder: string): (string | undefined)[][] {
  const ledger = openLedger({ path: join(dataFolder, 'ledger.db') });
  try {
    return ledger
      .entries('shop-1', { kind: 'action_judged' })
      .map(({ body }) => body as unknown as Judged)
      .filter(({ decision }) => decision === 'deny')
      .map(({ agent, tool, findings }) => [agent, tool, findings[0]?.guard]);
  } finally {
    ledger.close();
  }
}

interface Judged {
  agent: string;
  tool: string;
  decision: string;
  findings: { guard: string }[];
}

/** Programs that GuardKit's launcher may find in place of its own: each has to end in a refusal. */
export const FAILING_PROGRAMS = [
  ['exits with code 1', 'process.exitCode = 1'],
  ['is killed', 'process.kill(process.pid, "SIGKILL")'],
  ['kills its launcher', 'process.kill(process.ppid, "SIGKILL")'],
  ['sleeps past its deadline', 'setTimeout(() => {}, 60_000)'],
  ['exits with code 2 without a reason', 'process.exitCode = 2'],
  ['prints broken JSON', 'process.stdout.write(\'{"decision": "deny\')'],
  ['prints text', 'process.stdout.write("All is well")'],
  ['is missing', undefined],
] as const;
