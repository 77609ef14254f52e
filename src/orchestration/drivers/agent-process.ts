import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { dieWithParent } from '../../platform/processes/die-with-parent.ts';
import { endGroup, LiveGroup } from '../../platform/processes/end-processes.ts';
import { ByteTail } from '../../platform/processes/output-log.ts';
import { withHomeAccess } from '../../platform/sandbox/home-access.ts';
import { resolvePath } from '../../platform/sandbox/resolve-path.ts';
import { holdPlaceholders, resolvePolicy } from '../../platform/sandbox/resolve-policy.ts';
import { readSystem, sandboxArguments } from '../../platform/sandbox/sandbox-arguments.ts';
import type { SandboxPolicy } from '../../platform/sandbox/sandbox-policy.ts';
import type { AgentSandbox } from './agent-sandbox.ts';

const TAIL_BYTES = 4000;

export interface AgentCommand {
  command: string;
  args: readonly string[];
  cwd?: string | undefined;
  env: NodeJS.ProcessEnv;
}

/**
 * An agent's program in its own process group and in GuardKit's sandbox. The sandboxes of the agents cover only their
 * shells.
 */
export class AgentProcess {
  readonly #sandbox: AgentSandbox | undefined;
  readonly #errors = new ByteTail(TAIL_BYTES);
  readonly #live = new LiveGroup();
  #child: ChildProcessByStdio<Writable, Readable, Readable> | undefined;
  #release: () => void = () => {};

  constructor(sandbox: AgentSandbox | undefined) {
    this.#sandbox = sandbox;
  }

  /** The process id of the program, or of the sandbox around it. */
  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** The end of its stderr. */
  get errors(): string {
    return this.#errors.toString().trim();
  }

  start({ command, args, cwd = '/', env }: AgentCommand): ChildProcessByStdio<Writable, Readable, Readable> {
    const [program = command, ...rest] = [...this.#enterSandbox(command, cwd, env), command, ...args];
    const child = spawn(program, rest, { cwd, env, detached: true, stdio: ['pipe', 'pipe', 'pipe'] });
    this.#child = child;
    this.#live.id = child.pid;
    child.stderr.on('data', (bytes: Buffer) => this.#errors.add(bytes));
    // Safe: its exit is reported separately.
    child.stdin.on('error', () => {});
    return child;
  }

  /** Ends the whole process group. */
  async end(): Promise<void> {
    if (this.#child?.pid !== undefined) await endGroup(this.#child.pid);
    this.#live.ended();
    this.#release();
  }

  #enterSandbox(command: string, cwd: string, env: NodeJS.ProcessEnv): string[] {
    if (!this.#sandbox) return [...dieWithParent()];
    const policy = withHomeAccess(withProgram(this.#sandbox.policy, command), env);
    const { entries, placeholders } = resolvePolicy(policy);
    const folder = resolvePath(cwd).path;
    const args = sandboxArguments({ entries, system: readSystem(), network: policy.network, cwd: folder });
    this.#release = holdPlaceholders(placeholders);
    return [this.#sandbox.status.program, ...args, '--'];
  }
}

/** The sandbox may not show the program's folder by default. */
function withProgram(policy: SandboxPolicy, command: string): SandboxPolicy {
  return command.startsWith('/') ? { ...policy, readOnly: [...policy.readOnly, command] } : policy;
}
