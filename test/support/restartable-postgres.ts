import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const SCRIPT = fileURLToPath(new URL('./restartable-postgres.js', import.meta.url));

/** A PostgreSQL server of its own, behind a proxy that can cut connections. */
export class RestartablePostgres {
  readonly #folder: string;
  readonly #child: ChildProcess;
  readonly #lines: Interface;
  readonly #proxy: Server;
  readonly #sockets = new Set<Socket>();
  #isCut = false;

  private constructor(folder: string, child: ChildProcess, lines: Interface, proxy: Server) {
    this.#folder = folder;
    this.#child = child;
    this.#lines = lines;
    this.#proxy = proxy;
  }

  /** With `tls`, it accepts only encrypted connections. */
  static async start(tls?: 'tls'): Promise<RestartablePostgres> {
    const folder = mkdtempSync(join(process.env.GUARDKIT_POSTGRES_TMP ?? tmpdir(), 'guardkit-queue-'));
    chmodSync(folder, 0o777);
    const port = await freePort();
    const given = [folder, String(port), 'tester', 'for-tests-only', ...(tls ? [tls] : [])];
    const child = spawn(process.execPath, [SCRIPT, ...given], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    if (!child.stdout) throw new Error('the server has no output');
    const lines = createInterface({ input: child.stdout });
    const proxy = createServer();
    const server = new RestartablePostgres(folder, child, lines, proxy);
    proxy.on('connection', (socket) => server.#forward(socket, port));
    const started = server.#line();
    await new Promise<void>((ready) => proxy.listen(0, '127.0.0.1', ready));
    await started;
    return server;
  }

  get url(): string {
    const { port } = this.#proxy.address() as AddressInfo;
    return `postgres://tester:for-tests-only@127.0.0.1:${port}/postgres`;
  }

  /** With TLS: the address that a client uses which trusts only this authority. */
  trusting(authority: 'ca' | 'other'): string {
    const url = new URL(this.url);
    url.hostname = 'localhost';
    url.searchParams.set('sslmode', 'verify-full');
    url.searchParams.set('sslrootcert', join(this.#folder, `${authority}.pem`));
    return url.href;
  }

  async restart(): Promise<void> {
    const restarted = this.#line();
    this.#child.stdin?.write('restart\n');
    await restarted;
  }

  /** Ends all connections and answers no new ones for a while. */
  async cut(ms: number): Promise<void> {
    this.#isCut = true;
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((over) => setTimeout(over, ms));
    this.#isCut = false;
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#proxy.close();
    const ended = new Promise((settle) => this.#child.once('exit', settle));
    this.#child.stdin?.end();
    await ended;
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #line(): Promise<void> {
    return new Promise((settle, fail) => {
      this.#lines.once('line', () => settle());
      this.#child.once('exit', (code) => fail(new Error(`the server ended (${code})`)));
    });
  }

  #forward(socket: Socket, port: number): void {
    if (this.#isCut) {
      socket.destroy();
      return;
    }
    const target = connect(port, '127.0.0.1');
    for (const [one, other] of [
      [socket, target],
      [target, socket],
    ] as const) {
      this.#sockets.add(one);
      one.on('error', () => other.destroy());
      one.on('close', () => {
        this.#sockets.delete(one);
        other.destroy();
      });
      one.pipe(other);
    }
  }
}

export function freePort(): Promise<number> {
  return new Promise((settle, fail) => {
    const probe = createServer();
    probe.once('error', fail);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo;
      probe.close(() => settle(port));
    });
  });
}
