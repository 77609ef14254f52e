import type { Readable, Writable } from 'node:stream';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import type { ToolRole } from '../../domain/tool-role.ts';
import { findBroker } from '../../enforcement/broker/find-broker.ts';
import { relayToBroker } from '../../enforcement/broker/relay-to-broker.ts';
import type { McpWorld } from './mcp-context.ts';
import { createMcpServer } from './mcp-server.ts';
import { toolsFor } from './tools/tools.ts';

export interface McpOptions {
  /** What the agent is run for, if GuardKit runs it. */
  role?: ToolRole | undefined;
}

/** Where a server talks: the process, or what a test puts in its place. */
export interface McpStreams extends McpWorld {
  stdin: Readable;
  stdout: Writable;
  /** A person sits there instead of a client. */
  isTerminal?: boolean;
  /** For people: a client shows or keeps it, and never reads it as an answer. */
  complain(text: string): void;
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Serves GuardKit's tools on standard input and output until the client hangs up. */
export async function runMcp({ role }: McpOptions = {}, streams = processStreams()): Promise<void> {
  const { stdin, stdout, env, complain } = streams;
  if (streams.isTerminal)
    complain('GuardKit’s tools are served here to a program that speaks MCP; Ctrl-C ends it.');
  const broker = findBroker(env);
  if (broker !== undefined) return relayToBroker(broker, stdin, stdout);
  const server = createMcpServer(streams, toolsFor(role));
  const closed = new Promise<void>((resolve) => {
    server.onclose = resolve;
  });
  server.onerror = (error) => complain(`guardkit mcp: ${error.message}`);
  const end = () => void server.close();
  // The SDK's transport does not hear that its client has gone.
  stdin.on('end', end);
  stdin.on('close', end);
  stdout.on('error', end);
  for (const signal of SIGNALS) process.on(signal, end);
  try {
    await server.connect(new StdioServerTransport(stdin, stdout));
    await closed;
  } finally {
    for (const signal of SIGNALS) process.off(signal, end);
  }
}

function processStreams(): McpStreams {
  // Whatever some library has to say must not come between the messages.
  for (const method of ['log', 'info', 'debug'] as const) console[method] = console.error;
  return {
    cwd: process.cwd(),
    env: process.env,
    stdin: process.stdin,
    stdout: process.stdout,
    isTerminal: process.stdin.isTTY === true,
    complain: (text) => process.stderr.write(`${text}\n`),
  };
}
