import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { onTestFinished } from 'vitest';

export type Behaviour = 'answer' | 'hang' | 'fail' | 'nonsense' | 'redirect';

export interface EmbeddingServer {
  baseUrl: string;
  behave(behaviour: Behaviour): void;
  /** Every text that was sent, and the authorization it was sent with. */
  texts: string[];
  authorizations: (string | undefined)[];
  /** Resolves when so many requests have arrived. */
  requests(count: number): Promise<void>;
}

/** Words that mean the same have the same direction: enough to tell whether meaning is found without the word. */
const MEANINGS = [
  ['car', 'automobile', 'vehicle'],
  ['login', 'authentication', 'password'],
  ['database', 'storage', 'persistence'],
];

function embed(text: string): number[] {
  const words = text.toLowerCase().split(/\W+/);
  const vector = MEANINGS.map((meaning) => words.filter((word) => meaning.includes(word)).length);
  return vector.some((value) => value > 0) ? [...vector, 0] : [0, 0, 0, 1];
}

/** An OpenAI-compatible embeddings endpoint on loopback, gone after the test. */
export async function startEmbeddingServer(): Promise<EmbeddingServer> {
  let behaviour: Behaviour = 'answer';
  const texts: string[] = [];
  const authorizations: (string | undefined)[] = [];
  const waiting: { count: number; resolve: () => void }[] = [];
  const server = createServer(async (request, response) => {
    const body = JSON.parse(await read(request)) as { input: string[] };
    texts.push(...body.input);
    authorizations.push(request.headers.authorization);
    for (const { resolve } of waiting.filter(({ count }) => authorizations.length >= count)) resolve();
    respond(response, behaviour, body.input);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  return {
    baseUrl: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/v1`,
    behave: (next) => {
      behaviour = next;
    },
    texts,
    authorizations,
    requests: (count) =>
      authorizations.length >= count
        ? Promise.resolve()
        : new Promise((resolve) => {
            waiting.push({ count, resolve });
          }),
  };
}

async function read(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) text += chunk;
  return text;
}

function respond(response: ServerResponse, behaviour: Behaviour, input: string[]): void {
  switch (behaviour) {
    case 'hang':
      return;
    case 'fail':
      response.writeHead(500).end('out of order');
      return;
    case 'nonsense':
      response.end('<html>hello</html>');
      return;
    case 'redirect':
      response.writeHead(307, { location: 'http://127.0.0.1:1/elsewhere' }).end();
      return;
    case 'answer':
      // Out of order, as servers may.
      response.end(
        JSON.stringify({ data: input.map((text, index) => ({ index, embedding: embed(text) })).reverse() }),
      );
  }
}
