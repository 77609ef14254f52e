import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

export interface ProxiedRequest {
  host: string;
  path: string;
  body: string;
}

export interface ProxiedReply {
  type: string;
  text: string;
}

/** Whether certificates can be made here. */
export const HAS_OPENSSL = (() => {
  try {
    execFileSync('openssl', ['version'], { stdio: 'ignore' });
    return true;
  } catch {
    // Safe: its tests are skipped by name.
    return false;
  }
})();

/**
 * A proxy on loopback that answers requests to these hosts itself; gone after the test. The variables make a Node program
 * use it and accept its certificate, which is in the folder.
 */
export async function startHttpsProxy(
  folder: string,
  hosts: readonly string[],
  answerTo: (request: ProxiedRequest) => ProxiedReply,
): Promise<{ env: Record<string, string> }> {
  const { key, certificate, file } = makeCertificate(folder, hosts);
  const answering = createTlsServer({ key, cert: certificate }, async (request, response) => {
    const { url: path = '', headers } = request;
    const reply = answerTo({ host: headers.host ?? '', path, body: await bodyOf(request) });
    response.writeHead(200, { 'content-type': reply.type }).end(reply.text);
  });
  const proxy = createServer((_, response) => response.writeHead(403).end());
  proxy.on('connect', (request: IncomingMessage, client, head) => {
    const isKnown = hosts.includes(String(request.url).replace(/:443$/, ''));
    if (!isKnown) return void client.end('HTTP/1.1 403 Forbidden\r\n\r\n');
    const { port } = answering.address() as AddressInfo;
    const server = connect(port, '127.0.0.1', () => {
      client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      server.write(head);
      server.pipe(client).pipe(server);
    });
    for (const socket of [client, server]) socket.on('error', () => socket.destroy());
  });
  for (const server of [answering, proxy]) {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
  }
  const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  return { env: { HTTPS_PROXY: url, https_proxy: url, NODE_EXTRA_CA_CERTS: file } };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = '';
  for await (const chunk of request) body += chunk;
  return body;
}

/** One that signs itself. */
function makeCertificate(folder: string, hosts: readonly string[]) {
  const settings = join(folder, 'settings');
  const names = hosts.map((host) => `DNS:${host}`).join(',');
  writeFileSync(
    settings,
    `[req]\ndistinguished_name = name\nx509_extensions = more\nprompt = no\n[name]\nCN = test\n[more]\nsubjectAltName = ${names}\nbasicConstraints = critical, CA:true\n`,
  );
  const [key, file] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')];
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  const words = ['req', '-x509', ...kind, '-days', '2', '-config', settings, '-keyout', key, '-out', file];
  execFileSync('openssl', words, { stdio: 'ignore' });
  return { key: readFileSync(key), certificate: readFileSync(file), file };
}
