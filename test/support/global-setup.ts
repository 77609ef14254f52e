import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';
import { bundleCli, type CliBundle } from './bundle-cli.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The local port that starts the PostgreSQL server on its first connection and answers with its URL. */
    postgresPort: number;
    /** The URL of the command line as one file; none where tests are run again as the sources change. */
    cliBundle: string | undefined;
    /** For what test files share; it is gone after the run. */
    runFolder: string;
    /** A temporary folder in memory; undefined if this machine has none. */
    memoryFolder: string | undefined;
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
  const bundle = project.vitest.config.watch ? undefined : await bundleIfPossible();
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'guardkit-tests-'));
  project.provide('postgresPort', port);
  project.provide('cliBundle', bundle?.url);
  project.provide('runFolder', folder);
  return async () => {
    rmSync(folder, { recursive: true, force: true, maxRetries: 20 });
    bundle?.remove();
    listener.close();
    if (server) await stopServer(server.process);
  };
}

/** Sources that cannot be bundled fail in the tests that load them; the others run. */
async function bundleIfPossible(): Promise<CliBundle | undefined> {
  try {
    return await bundleCli();
  } catch (error) {
    console.warn('The command line is not bundled, so its tests load every source file:', error);
    return undefined;
  }
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
