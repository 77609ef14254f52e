import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { onTestFinished } from 'vitest';

/** One thing that the model says or does. */
export type ModelOutput =
  | { text: string }
  | { call: string; namespace?: string; args: Record<string, unknown> }
  /** A tool that takes free text, such as a patch. */
  | { custom: string; input: string };

export type ModelReply = readonly ModelOutput[] | { status: number; message: string };

export interface ResponsesRequest {
  body: string;
}

export interface ResponsesServer {
  url: string;
  requests: ResponsesRequest[];
}

/** A reply for each request in turn, the last one again and again; or whatever fits the request. */
export type ResponsesScript =
  | readonly ModelReply[]
  | ((request: ResponsesRequest, index: number) => ModelReply);

const USAGE = {
  input_tokens: 1200,
  input_tokens_details: { cached_tokens: 1000 },
  output_tokens: 34,
  output_tokens_details: { reasoning_tokens: 5 },
  total_tokens: 1234,
};

/** OpenAI's Responses API on loopback, which follows a script; gone after the test. */
export async function startResponsesServer(script: ResponsesScript): Promise<ResponsesServer> {
  const requests: ResponsesRequest[] = [];
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => response.destroy(error as Error));
  });
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    if (request.method !== 'POST' || !request.url?.endsWith('/responses'))
      return void response.writeHead(404, JSON_TYPE).end('{"error":{"message":"not scripted"}}');
    const index = requests.push({ body }) - 1;
    const reply =
      typeof script === 'function'
        ? script({ body }, index)
        : (script[Math.min(index, script.length - 1)] ?? []);
    if ('status' in reply)
      return void response
        .writeHead(reply.status, JSON_TYPE)
        .end(
          JSON.stringify({ error: { message: reply.message, type: 'error', code: String(reply.status) } }),
        );
    stream(response, reply, `resp_${index + 1}`);
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  return { url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/v1`, requests };
}

const JSON_TYPE = { 'content-type': 'application/json' };

function stream(response: ServerResponse, reply: readonly ModelOutput[], id: string): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const send = (type: string, data: object) =>
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`);
  send('response.created', { response: { id, object: 'response', status: 'in_progress', output: [] } });
  const output = reply.map((one, index) => itemOf(one, `${id}${index}`));
  for (const [output_index, item] of output.entries()) {
    send('response.output_item.added', { output_index, item });
    send('response.output_item.done', { output_index, item });
  }
  send('response.completed', {
    response: { id, object: 'response', status: 'completed', output, usage: USAGE },
  });
  response.end();
}

function itemOf(one: ModelOutput, id: string) {
  if ('text' in one)
    return {
      type: 'message',
      id: `msg_${id}`,
      role: 'assistant',
      status: 'completed',
      content: [{ type: 'output_text', text: one.text, annotations: [] }],
    };
  const call = { call_id: `call_${id}`, status: 'completed' };
  if ('custom' in one)
    return { type: 'custom_tool_call', id: `ctc_${id}`, ...call, name: one.custom, input: one.input };
  const { call: name, namespace, args } = one;
  return {
    type: 'function_call',
    id: `fc_${id}`,
    ...call,
    name,
    ...(namespace === undefined ? {} : { namespace }),
    arguments: JSON.stringify(args),
  };
}
