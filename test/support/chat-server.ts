import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { onTestFinished } from 'vitest';

/** One thing that the model says or does. */
export type ChatOutput = { text: string } | { call: string; args: Record<string, unknown> };

export type ChatReply = readonly ChatOutput[] | { status: number; message: string };

export interface ChatRequest {
  body: string;
}

export interface ChatServer {
  url: string;
  requests: ChatRequest[];
}

/** A reply for each request in turn, the last one again and again; or whatever fits the request. */
export type ChatScript = readonly ChatReply[] | ((request: ChatRequest, index: number) => ChatReply);

const USAGE = {
  prompt_tokens: 1200,
  completion_tokens: 34,
  total_tokens: 1234,
  prompt_tokens_details: { cached_tokens: 1000 },
};

/** OpenAI's Chat Completions API on loopback, which follows a script; gone after the test. */
export async function startChatServer(script: ChatScript): Promise<ChatServer> {
  const requests: ChatRequest[] = [];
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const index = requests.push({ body }) - 1;
    const reply =
      typeof script === 'function'
        ? script({ body }, index)
        : (script[Math.min(index, script.length - 1)] ?? []);
    if ('status' in reply) {
      // Retries are part of the agent, and come at once.
      const headers = { 'content-type': 'application/json', 'retry-after-ms': '1' };
      response.writeHead(reply.status, headers);
      response.end(JSON.stringify({ error: { message: reply.message, type: 'error' } }));
      return;
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(chunksOf(reply, index).join(''));
  };
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => response.destroy(error as Error));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  return { url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/v1`, requests };
}

function chunksOf(reply: readonly ChatOutput[], index: number): string[] {
  const chunk = (delta: object, finish: string | null, more = {}) =>
    `data: ${JSON.stringify({
      id: `chat-${index}`,
      object: 'chat.completion.chunk',
      created: 1,
      model: 'scripted',
      choices: [{ index: 0, delta, finish_reason: finish }],
      ...more,
    })}\n\n`;
  let calls = 0;
  const parts = reply.map((one) => {
    if ('text' in one) return chunk({ role: 'assistant', content: one.text }, null);
    const called = { name: one.call, arguments: JSON.stringify(one.args) };
    const call = { index: calls, id: `call-${index}-${calls}`, type: 'function', function: called };
    calls += 1;
    return chunk({ role: 'assistant', tool_calls: [call] }, null);
  });
  return [...parts, chunk({}, calls > 0 ? 'tool_calls' : 'stop', { usage: USAGE }), 'data: [DONE]\n\n'];
}
