import { spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import type { ToolRole } from '../../domain/entities/tool-role.ts';
import { endGroup } from '../../platform/processes/end-processes.ts';
import { LiveGroup } from '../../platform/processes/live-groups.ts';
import { programFile } from '../install/own-package.ts';

/** How a program starts a server of tools. */
export interface ToolsCommand {
  command: string;
  args: string[];
  env: Record<string, string>;
}

/** The Node that runs this GuardKit, and this GuardKit. */
export function toolsCommand(role: ToolRole, dataFolder: string): ToolsCommand {
  return {
    command: process.execPath,
    args: [programFile(), 'mcp', '--role', role],
    env: { GUARDKIT_HOME: dataFolder },
  };
}

export interface ToolServersContext {
  env: NodeJS.ProcessEnv;
  /** Checkout that the agent works in. */
  folder: string;
  role: ToolRole;
  dataFolder: string;
}

/** An agent needs one; it could open as many connections as it likes. */
const MAX_SERVERS = 4;
/** Whoever asks without listening fills the memory of its own server, and no more than this. */
const MAX_HEAP_MB = 512;

/**
 * Servers of tools for an agent in a sandbox, outside of it: a process each, so that nothing an agent says can fill or end
 * the process that judges it. What the agent says goes there byte by byte and is read there.
 */
export class ToolServers {
  readonly #parts: ToolServersContext;
  readonly #running = new Set<{ group: LiveGroup; ended: Promise<void> }>();

  constructor(parts: ToolServersContext) {
    this.#parts = parts;
  }

  serve(connection: Socket): void {
    if (this.#running.size >= MAX_SERVERS) return void connection.destroy();
    const { env, folder, role, dataFolder } = this.#parts;
    const { command, args, env: own } = toolsCommand(role, dataFolder);
    const bounded = [`--max-old-space-size=${MAX_HEAP_MB}`, ...args];
    const group = new LiveGroup();
    const child = spawn(command, bounded, {
      cwd: folder,
      env: { ...env, ...own },
      detached: true,
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    group.id = child.pid;
    const ended = new Promise<void>((resolve) => {
      child.on('close', () => resolve());
      child.on('error', () => resolve());
    });
    const running = { group, ended };
    this.#running.add(running);
    void ended.then(() => {
      group.ended();
      this.#running.delete(running);
      connection.destroy();
    });
    // Either end may go first; the other follows.
    child.stdin.on('error', () => {});
    child.stdout.on('error', () => {});
    connection.pipe(child.stdin);
    child.stdout.pipe(connection);
    connection.on('close', () => {
      child.stdin.end();
      if (child.pid !== undefined) void endGroup(child.pid);
    });
  }

  /** When the agent has ended. */
  async end(): Promise<void> {
    const running = [...this.#running];
    await Promise.all(running.map(({ group }) => (group.id === undefined ? undefined : endGroup(group.id))));
    await Promise.all(running.map(({ ended }) => ended));
  }
}
