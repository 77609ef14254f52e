// A small MCP server over standard input and output: its tool write_note appends a text to the file in NOTES_FILE.
import { appendFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const TOOL = {
  name: 'write_note',
  description: 'Writes a note',
  inputSchema: { type: 'object', properties: { text: { type: 'string' }, path: { type: 'string' } } },
};

const RESULTS = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'notes', version: '1.0.0' },
  }),
  'tools/list': () => ({ tools: [TOOL] }),
  'tools/call': ({ arguments: { text = '' } = {} }) => {
    appendFileSync(process.env.NOTES_FILE, `${text}\n`);
    return { content: [{ type: 'text', text: 'noted' }] };
  },
  ping: () => ({}),
};

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params = {} } = JSON.parse(line);
  if (id === undefined) continue;
  const answer = RESULTS[method];
  const body = answer ? { result: answer(params) } : { error: { code: -32601, message: 'unknown method' } };
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...body })}\n`);
}
