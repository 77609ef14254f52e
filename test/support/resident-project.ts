import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, readFileSync, symlinkSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect, vi } from 'vitest';
import { findServer } from '../../src/enforcement/broker/server-record.ts';
import { launcherPath } from '../../src/enforcement/install/hook-launcher.ts';
import { findSandbox } from '../../src/platform/sandbox/find-sandbox.ts';
import { openLedger } from '../../src/store/ledger/open-ledger.ts';
import { PROGRAM, Sandbox } from './cli.ts';
import { WrappedAgent } from './wrapped-agent.ts';

export interface HookResult {
  status: number | null;
  stdout: string;
  stderr: string;
}

interface ResidentOptions {
  /** An installation of its own, which a test may upgrade. */
  ownPackage?: boolean;
  /** Before anything is installed. */
  prepare?(sandbox: Sandbox): void;
}

/** A project set up as a person does it, with an agent whose commands are wrapped, and the process that answers its hooks. */
export class ResidentProject {
  readonly sandbox = new Sandbox();
  readonly agent: WrappedAgent;
  /** The agent's CLAUDE_CODE_SHELL_PREFIX. */
  readonly prefix: string;
  readonly program: string;
  #actions = 0;

  constructor({ ownPackage = false, prepare = () => {} }: ResidentOptions = {}) {
    const { sandbox } = this;
    prepare(sandbox);
    this.program = ownPackage ? copyPackage(sandbox.path('package')) : PROGRAM;
    sandbox.repository('shop');
    const { status, stderr } = spawnSync(
      process.execPath,
      [this.program, 'init', '--yes', '--no-try', '--agent', 'claude'],
      { cwd: sandbox.path('shop'), env: sandbox.env, encoding: 'utf8' },
    );
    if (status !== 0) throw new Error(stderr);
    sandbox.git('shop', 'add', '-A');
    sandbox.git('shop', 'commit', '-q', '-m', 'Set up GuardKit');
    const settings = readFileSync(sandbox.path('shop', '.claude', 'settings.local.json'), 'utf8');
    this.prefix = JSON.parse(settings).env.CLAUDE_CODE_SHELL_PREFIX;
    this.agent = new WrappedAgent(sandbox, 'shop');
  }

  /** Why this machine cannot have one: hooks are answered by the resident process only if a sandbox holds the agent. */
  static async obstacle(): Promise<string | undefined> {
    if (!existsSync('/usr/bin/perl')) return 'perl is not installed';
    const sandbox = await findSandbox();
    return sandbox.available ? undefined : sandbox.why;
  }

  static async create(): Promise<ResidentProject> {
    const made = new ResidentProject();
    await made.start();
    return made;
  }

  get home(): string {
    return this.sandbox.home;
  }

  get root(): string {
    return this.sandbox.path('shop');
  }

  /** Starts the resident process, if none runs, and gives its process id. */
  async start(): Promise<number> {
    await this.agent.startBroker();
    await vi.waitFor(() => expect(findServer(this.home)).toBeDefined(), { timeout: 60_000 });
    return findServer(this.home)?.pid ?? 0;
  }

  async kill(): Promise<void> {
    this.agent.endBrokers('SIGKILL');
    await expect.poll(() => this.agent.brokers()).toHaveLength(0);
  }

  event(tool_name: string, tool_input: object, hook_event_name = 'PreToolUse') {
    this.#actions += 1;
    const tool_use_id = `action-${this.#actions}`;
    return { session_id: 's', cwd: this.root, hook_event_name, tool_name, tool_input, tool_use_id };
  }

  forbidden() {
    return this.event('Write', { file_path: join(this.root, '.guardkit', 'config.yaml'), content: '' });
  }

  allowed() {
    return this.event('Read', { file_path: join(this.root, 'a.js') });
  }

  get environment(): NodeJS.ProcessEnv {
    return { ...this.sandbox.env, CLAUDE_PROJECT_DIR: this.root, CLAUDE_CODE_SHELL_PREFIX: this.prefix };
  }

  /** As the agent starts its hook. */
  hook(payload: object, launcher = launcherPath(this.home), env = this.environment): HookResult {
    const { status, stdout, stderr } = spawnSync(launcher, ['claude'], {
      cwd: this.root,
      env,
      input: JSON.stringify(payload),
      encoding: 'utf8',
      timeout: 60_000,
    });
    return { status, stdout, stderr };
  }

  /** Without blocking this process. */
  async hookBeside(payload: object, args: readonly string[] = ['claude']): Promise<HookResult> {
    const child = spawn(launcherPath(this.home), args, { cwd: this.root, env: this.environment });
    child.stdin.on('error', () => {});
    child.stdin.end(JSON.stringify(payload));
    const texts = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr'] as const)
      child[name].on('data', (chunk) => {
        texts[name] += chunk;
      });
    const [status] = await once(child, 'close');
    return { status, ...texts };
  }

  query(sql: string): unknown[] {
    const ledger = openLedger({ path: join(this.home, 'ledger.db') });
    try {
      return ledger.file.database.prepare(sql).pluck().all();
    } finally {
      ledger.close();
    }
  }

  /** Which way each event was answered that wrote anything, in order; a cold one shows only after another was asked. */
  owners(): (string | undefined)[] {
    return this.query('SELECT owner FROM event_claims ORDER BY at').map((one) => String(one).split(' ')[0]);
  }

  judged(): number {
    return Number(this.query("SELECT count(*) FROM entries WHERE kind = 'action_judged'")[0]);
  }

  cleanup(): void {
    this.agent.endBrokers('SIGKILL');
    this.sandbox.cleanup();
  }
}

/** Returns the program of the copy. */
function copyPackage(folder: string): string {
  const own = dirname(dirname(PROGRAM));
  for (const name of ['bin', 'dist', 'docs', 'plugin', 'package.json'])
    cpSync(join(own, name), join(folder, name), {
      recursive: true,
      filter: (path) => !path.includes('/dist/types'),
    });
  symlinkSync(join(own, 'node_modules'), join(folder, 'node_modules'));
  return join(folder, 'bin', basename(PROGRAM));
}

export function decisionOf({ stdout }: Pick<HookResult, 'stdout'>): string | undefined {
  return stdout === '' ? undefined : JSON.parse(stdout).hookSpecificOutput?.permissionDecision;
}
