import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

export interface Proxy {
  /** The server's URL, through the proxy. */
  url: string;
  /** Like a server that goes down: every connection breaks, and none is accepted. */
  stop(): Promise<void>;
  start(): Promise<void>;
}

/** A proxy between a store and its server that can cut the connection and restore it. */
export async function startProxy(serverUrl: string): Promise<Proxy> {
  const target = new URL(serverUrl);
  const sockets = new Set<Socket>();
  let server: Server;
  let port = 0;

  const start = async () => {
    server = createServer((client) => {
      const upstream = connect(Number(target.port), target.hostname);
      for (const [from, to] of [
        [client, upstream],
        [upstream, client],
      ] as const) {
        sockets.add(from);
        from.on('error', () => to.destroy());
        from.on('close', () => to.destroy());
        from.pipe(to);
      }
    });
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    port = (server.address() as AddressInfo).port;
  };
  const stop = async () => {
    const closed = new Promise((resolve) => server.close(resolve));
    for (const socket of sockets) socket.destroy();
    sockets.clear();
    await closed;
  };

  await start();
  onTestFinished(stop);
  const url = new URL(serverUrl);
  url.port = String(port);
  return { url: url.href, start, stop };
}
