import type { ToolRole } from '../../domain/entities/tool-role.ts';
import { relayToBroker } from '../../enforcement/broker/broker-client.ts';
import { findBroker } from '../../enforcement/broker/broker-socket.ts';
import type { McpStreams } from './mcp-context.ts';

export interface McpOptions {
  /** The agent's role, if GuardKit runs it. */
  role?: ToolRole | undefined;
}

/** Serves GuardKit's tools on standard input and output until the client hangs up. */
export async function runMcp({ role }: McpOptions = {}, streams = processStreams()): Promise<void> {
  const { stdin, stdout, env, complain } = streams;
  if (streams.isTerminal)
    complain('This is an MCP server on standard input and output; press Ctrl-C to end it.');
  const broker = findBroker(env);
  if (broker !== undefined) return relayToBroker(broker, stdin, stdout, { cwd: streams.cwd, role });
  // A sandbox may lack the server's modules.
  const { serveTools } = await import('./serve-tools.ts');
  await serveTools(role, streams);
}

function processStreams(): McpStreams {
  // A library's log output must not mix with the messages.
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
