import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import type { Socket } from 'node:net';
import { dirname, join } from 'node:path';
import type { ToolRole } from '../../domain/entities/tool-role.ts';
import { endGroup, LiveGroup } from '../../platform/processes/end-processes.ts';
import { findAgentHooks } from '../agents/agent-hooks.ts';
import { openBroker } from '../broker/open-broker.ts';
import { answerHook, refusal } from '../hooks/answer-hook.ts';
import type { HookAnswer, HookEvent } from '../hooks/hook-event.ts';
import { launcherPath } from '../install/hook-launcher.ts';
import { packageFolder, programFile } from '../install/own-package.ts';

/** The connection from inside a sandbox to the GuardKit process outside. */
export interface Door {
  /** Where hooks ask, in a sandbox or not. */
  socket: string;
  /** Paths that must be visible in the sandbox. */
  shown: string[];
  close(): Promise<void>;
}

/** Answers the hooks of a sandboxed agent here, where the ledger is. */
export async function openDoor(
  dataFolder: string,
  handle: (event: HookEvent) => Promise<HookAnswer>,
  tools?: ToolServers,
): Promise<Door> {
  const { socket, close } = await openBroker({
    dataFolder,
    name: randomBytes(4).toString('hex'),
    serveTools: tools && ((connection) => tools.serve(connection)),
    async answer({ agent: name, payload }) {
      const agent = findAgentHooks(name);
      if (!agent) return refusal(`GuardKit does not support hooks of ${name}, so this is refused.`);
      // The agent's environment is ignored: nobody can answer a permission prompt here.
      return answerHook({ agent, payload: () => payload, env: {}, handle });
    },
  });
  return {
    socket,
    shown: [socket, ...hookParts(dataFolder).filter((path) => existsSync(path))],
    async close() {
      await close();
      await tools?.end();
    },
  };
}

/** The files that a hook needs; GuardKit may be installed where the sandbox shows nothing. */
function hookParts(dataFolder: string): string[] {
  const folder = packageFolder();
  return [
    dirname(launcherPath(dataFolder)),
    process.execPath,
    join(folder, 'dist'),
    join(folder, 'package.json'),
  ];
}

/** How to start GuardKit's MCP server. */
export interface ToolsCommand {
  command: string;
  args: string[];
  env: Record<string, string>;
}

export function toolsCommand(role: ToolRole, dataFolder: string): ToolsCommand {
  return {
    command: process.execPath,
    args: [programFile(), 'mcp', '--role', role],
    env: { GUARDKIT_HOME: dataFolder },
  };
}

interface ToolServersContext {
  env: NodeJS.ProcessEnv;
  /** Checkout that the agent works in. */
  folder: string;
  role: ToolRole;
  dataFolder: string;
}

/** An agent needs one, but could open any number of connections. */
const MAX_SERVERS = 4;
/** A client that sends requests without reading answers fills only its own server's memory. */
const MAX_HEAP_MB = 512;

/**
 * MCP servers outside the sandbox for an agent inside it. Each is a process of its own, so that no input can exhaust or
 * crash the process that judges the agent. The bytes are passed on unread.
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
    // Either end may close first; the other follows.
    child.stdin.on('error', () => {});
    child.stdout.on('error', () => {});
    connection.pipe(child.stdin);
    child.stdout.pipe(connection);
    connection.on('close', () => {
      child.stdin.end();
      if (child.pid !== undefined) void endGroup(child.pid);
    });
  }

  /** Call it after the agent has ended. */
  async end(): Promise<void> {
    const running = [...this.#running];
    await Promise.all(running.map(({ group }) => (group.id === undefined ? undefined : endGroup(group.id))));
    await Promise.all(running.map(({ ended }) => ended));
  }
}
