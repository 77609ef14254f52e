import { createServer } from 'node:http';
import { onTestFinished } from 'vitest';

/** A log-in service on loopback that gives new tokens for a refresh token; gone after the test. */
export async function startTokenService(answerTo: (body: string) => object): Promise<{ url: string }> {
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => {
      body += text;
    });
    request.on('end', () =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answerTo(body))),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  return { url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}` };
}
