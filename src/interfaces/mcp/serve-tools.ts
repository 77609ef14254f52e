import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import type { ToolRole } from '../../domain/entities/tool-role.ts';
import { ENDING_SIGNALS } from '../../platform/processes/end-processes.ts';
import type { McpStreams } from './mcp-context.ts';
import { createMcpServer } from './mcp-server.ts';
import { toolsFor } from './tools/tools.ts';

/** Serves a client until it disconnects. */
export async function serveTools(role: ToolRole | undefined, streams: McpStreams): Promise<void> {
  const { stdin, stdout, complain } = streams;
  const server = createMcpServer(streams, toolsFor(role));
  const closed = new Promise<void>((resolve) => {
    server.onclose = resolve;
  });
  server.onerror = (error) => complain(`guardkit mcp: ${error.message}`);
  const end = () => void server.close();
  // The SDK's transport does not notice that its client has gone.
  stdin.on('end', end);
  stdin.on('close', end);
  stdout.on('error', end);
  for (const signal of ENDING_SIGNALS) process.on(signal, end);
  try {
    await server.connect(new StdioServerTransport(stdin, stdout));
    await closed;
  } finally {
    for (const signal of ENDING_SIGNALS) process.off(signal, end);
  }
}
