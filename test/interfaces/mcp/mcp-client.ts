import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { onTestFinished } from 'vitest';
import type { McpServerContext } from '../../../src/interfaces/mcp/mcp-context.ts';
import { createMcpServer } from '../../../src/interfaces/mcp/mcp-server.ts';
import { TOOLS } from '../../../src/interfaces/mcp/tools/tools.ts';

export interface Answered {
  text: string;
  refused: boolean;
  /** Of a refusal. */
  code?: unknown;
}

/** The official client, talking to a server in the same process. */
export class McpCaller {
  readonly client: Client;

  private constructor(client: Client) {
    this.client = client;
  }

  static async connect(world: McpServerContext, tools = TOOLS): Promise<McpCaller> {
    const client = new Client({ name: 'test', version: '1' });
    const [ours, theirs] = InMemoryTransport.createLinkedPair();
    await createMcpServer(world, tools).connect(theirs);
    await client.connect(ours);
    onTestFinished(() => client.close());
    return new McpCaller(client);
  }

  async call(name: string, input: Record<string, unknown> = {}): Promise<Answered> {
    return answered(await this.client.callTool({ name, arguments: input }));
  }
}

export function answered(result: Awaited<ReturnType<Client['callTool']>>): Answered {
  const content = Array.isArray(result.content) ? result.content : [];
  return {
    text: content.map((part) => (part.type === 'text' ? part.text : '')).join('\n'),
    refused: result.isError === true,
    ...(result._meta ? { code: result._meta['guardkit/code'] } : {}),
  };
}
