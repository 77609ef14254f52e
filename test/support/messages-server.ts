import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { onTestFinished } from 'vitest';

export type Block =
  | { type: 'text'; text: string }
  | { type: 'tool_use'; name: string; input: Record<string, unknown> };

export type Reply =
  | { content: readonly Block[]; usage?: { input_tokens: number; output_tokens: number } }
  /** An error of the service, such as 429 or 529. */
  | { status: number; headers?: Record<string, string>; message?: string }
  /** The connection is cut without a word, or stays open without one. */
  | { connection: 'cut' | 'silent' };

export interface MessagesRequest {
  headers: IncomingHttpHeaders;
  model: string;
  /** All of the system prompt. */
  system: string;
  messages: readonly { role: string; content: string | readonly Record<string, unknown>[] }[];
  /** Of the tools that are offered. */
  tools: readonly { name: string; input_schema: Record<string, unknown> }[];
  stream: boolean;
}

/** What the model says: one reply after the other, the last again and again, or whatever fits the request. */
export type Script = readonly Reply[] | ((request: MessagesRequest, index: number) => Reply | Promise<Reply>);

export interface MessagesServer {
  url: string;
  /** Every request for a message, in the order of their arrival. */
  requests: MessagesRequest[];
  play(script: Script): void;
  /** Resolves when so many requests for a message have arrived. */
  arrived(count: number): Promise<void>;
  /** What makes Claude Code talk to this server, and keep its files in the folder. */
  env(home: string): Record<string, string>;
}

/** A Messages API on loopback that says what a script says, gone after the test. */
export async function startMessagesServer(
  script: Script,
  finished: (close: () => void) => void = onTestFinished,
): Promise<MessagesServer> {
  let played = script;
  let index = 0;
  const requests: MessagesRequest[] = [];
  const waiting: { count: number; resolve: () => void }[] = [];

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => response.destroy(error as Error));
  });
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const text = await read(request);
    const { pathname } = new URL(request.url ?? '/', 'http://127.0.0.1');
    if (request.method === 'HEAD') return void response.writeHead(200).end();
    if (pathname === '/v1/messages/count_tokens')
      return json(response, 200, { input_tokens: text.length >> 2 });
    if (pathname !== '/v1/messages') return json(response, 404, serviceError('not_found_error', pathname));
    const asked = readRequest(request.headers, text);
    requests.push(asked);
    for (const { resolve } of waiting.filter(({ count }) => requests.length >= count)) resolve();
    const at = index;
    index += 1;
    const reply =
      typeof played === 'function' ? await played(asked, at) : played[Math.min(at, played.length - 1)];
    if (!reply) throw new Error('the script is empty');
    respond(response, reply, asked, `msg_${requests.length}`);
  };

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  finished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
  return {
    url,
    requests,
    play(next) {
      played = next;
      index = 0;
    },
    arrived: (count) =>
      requests.length >= count
        ? Promise.resolve()
        : new Promise((resolve) => {
            waiting.push({ count, resolve });
          }),
    env: (home) => ({
      PATH: process.env.PATH ?? '/usr/bin:/bin',
      HOME: home,
      ANTHROPIC_BASE_URL: url,
      ANTHROPIC_API_KEY: 'sk-ant-no-key-at-all',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1',
    }),
  };
}

async function read(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) text += chunk;
  return text;
}

function readRequest(headers: IncomingHttpHeaders, text: string): MessagesRequest {
  const { model, system = '', messages = [], tools = [], stream = false } = JSON.parse(text);
  const all =
    typeof system === 'string' ? system : system.map((part: { text: string }) => part.text).join('\n');
  return { headers, model, system: all, messages, tools, stream };
}

function respond(
  response: ServerResponse,
  reply: Reply,
  { model, stream }: MessagesRequest,
  id: string,
): void {
  if ('connection' in reply) {
    if (reply.connection === 'cut') response.destroy();
    return;
  }
  if ('status' in reply) {
    const type =
      reply.status === 429 ? 'rate_limit_error' : reply.status === 529 ? 'overloaded_error' : 'api_error';
    json(response, reply.status, serviceError(type, reply.message ?? type), reply.headers);
    return;
  }
  const content = reply.content.map((block, index) =>
    block.type === 'tool_use' ? { ...block, id: `toolu_${id}_${index}` } : block,
  );
  const stop_reason = content.some(({ type }) => type === 'tool_use') ? 'tool_use' : 'end_turn';
  const usage = { input_tokens: 10, output_tokens: 5, ...reply.usage };
  const message = { id, type: 'message', role: 'assistant', model, stop_sequence: null };
  if (!stream) {
    json(response, 200, { ...message, content, stop_reason, usage });
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const send = (type: string, data: Record<string, unknown>) =>
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`);
  send('message_start', {
    message: { ...message, content: [], stop_reason: null, usage: { ...usage, output_tokens: 1 } },
  });
  for (const [index, block] of content.entries()) {
    const [start, delta] =
      block.type === 'text'
        ? [
            { type: 'text', text: '' },
            { type: 'text_delta', text: block.text },
          ]
        : [
            { ...block, input: {} },
            { type: 'input_json_delta', partial_json: JSON.stringify(block.input) },
          ];
    send('content_block_start', { index, content_block: start });
    send('content_block_delta', { index, delta });
    send('content_block_stop', { index });
  }
  send('message_delta', {
    delta: { stop_reason, stop_sequence: null },
    usage: { output_tokens: usage.output_tokens },
  });
  send('message_stop', {});
  response.end();
}

function json(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

function serviceError(type: string, message: string) {
  return { type: 'error', error: { type, message } };
}
