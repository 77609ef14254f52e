import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { onTestFinished } from 'vitest';

/** One thing that the model says or does. */
export type GeminiOutput = { text: string } | { call: string; args: Record<string, unknown> };

export type GeminiReply = readonly GeminiOutput[] | { status: number; message: string };

export interface GeminiRequest {
  body: string;
}

export interface GeminiServer {
  url: string;
  /** For the model's own answers; Gemini CLI asks for other things too. */
  requests: GeminiRequest[];
}

/** A reply for each request in turn, the last one again and again; or whatever fits the request. */
export type GeminiScript = readonly GeminiReply[] | ((request: GeminiRequest, index: number) => GeminiReply);

const USAGE = {
  promptTokenCount: 1200,
  candidatesTokenCount: 34,
  cachedContentTokenCount: 1000,
  totalTokenCount: 1234,
};

/** Google's generateContent API on loopback, which follows a script; gone after the test. */
export async function startGeminiServer(script: GeminiScript): Promise<GeminiServer> {
  const requests: GeminiRequest[] = [];
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => response.destroy(error as Error));
  });
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const { url = '' } = request;
    if (url.includes(':countTokens')) return json(response, 200, { totalTokens: 100 });
    if (!url.includes(':streamGenerateContent'))
      return json(response, 404, { error: { code: 404, message: 'not scripted' } });
    const index = requests.push({ body }) - 1;
    const reply =
      typeof script === 'function'
        ? script({ body }, index)
        : (script[Math.min(index, script.length - 1)] ?? []);
    if ('status' in reply)
      return json(response, reply.status, { error: { code: reply.status, message: reply.message } });
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(`data: ${JSON.stringify(contentOf(reply, index))}\n\n`);
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  return { url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`, requests };
}

function json(response: ServerResponse, status: number, value: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}

function contentOf(reply: readonly GeminiOutput[], index: number) {
  const parts = reply.map((one, at) =>
    'text' in one ? one : { functionCall: { id: `call-${index}-${at}`, name: one.call, args: one.args } },
  );
  return {
    candidates: [{ index: 0, finishReason: 'STOP', content: { role: 'model', parts } }],
    usageMetadata: USAGE,
    modelVersion: 'scripted',
    responseId: `response-${index}`,
  };
}
