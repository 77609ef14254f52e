import { type ChildProcess, spawn } from 'node:child_process';
import { type AddressInfo, createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** The local port that starts the PostgreSQL server on its first connection and answers with its URL. */
    postgresPort: number;
  }
}

const SERVER_SCRIPT = fileURLToPath(new URL('./postgres-server.js', import.meta.url));

/** Offers a PostgreSQL server to the whole run; a run that never asks for it never pays for it. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  let server: { process: ChildProcess; answer: Promise<string> } | undefined;

  const listener = createServer((connection) => {
    // A test file that was cancelled hangs up; the run goes on.
    connection.on('error', () => connection.destroy());
    server ??= startServer();
    void server.answer.then((answer) => connection.end(answer));
  });
  const port = await new Promise<number>((resolve, reject) => {
    listener.once('error', reject);
    listener.listen(0, '127.0.0.1', () => resolve((listener.address() as AddressInfo).port));
  });
  // Nothing here should keep a run alive that leaves without calling teardown.
  listener.unref();
  project.provide('postgresPort', port);

  return async () => {
    listener.close();
    if (server) await stopServer(server.process);
  };
}

function startServer(): { process: ChildProcess; answer: Promise<string> } {
  const child = spawn(process.execPath, [SERVER_SCRIPT], { stdio: ['pipe', 'pipe', 'inherit'] });
  const answer = new Promise<string>((resolve) => {
    createInterface({ input: child.stdout }).once('line', resolve);
    child.once('error', (error) => resolve(JSON.stringify({ error: error.message })));
    child.once('exit', (code) =>
      resolve(JSON.stringify({ error: `the server's process ended (exit ${code})` })),
    );
  });
  return { process: child, answer };
}

function stopServer(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    child.once('exit', () => resolve());
    child.stdin?.end();
  });
}
