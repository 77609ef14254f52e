// Runs in the sandbox of the project's server, since the server is reachable only there. Plain JavaScript, because it
// is started as a separate program. It prints one JSON document; the server's output goes to stderr.
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const MAX_BODY = 1_000_000;
const RETRY_MS = 100;

const { start, url, browser, timeoutMs } = JSON.parse(process.argv[2]);
const deadline = Date.now() + timeoutMs;

const server = start
  ? spawn('/bin/sh', ['-c', start], { stdio: ['ignore', 2, 2], detached: true })
  : undefined;
let ended;
server?.on('exit', (code, signal) => {
  ended = signal ? `was killed by ${signal}` : `exited with ${code}`;
});

try {
  const answer = await fetchOnceUp();
  process.stdout.write(JSON.stringify(answer.error || !browser ? answer : { ...answer, ...readPage() }));
} finally {
  if (server?.pid && ended === undefined) {
    try {
      process.kill(-server.pid, 'SIGKILL');
    } catch {
      // It ended in the meantime.
    }
  }
}

/** Returns the first answer; a starting server refuses connections for a while. */
async function fetchOnceUp() {
  for (;;) {
    try {
      const response = await fetch(url, { signal: AbortSignal.timeout(Math.max(1, deadline - Date.now())) });
      return { status: response.status, body: await readBody(response) };
    } catch (error) {
      const why = error.cause?.code ?? error.cause?.message ?? error.message;
      if (ended !== undefined) return { error: `the \`start\` command ${ended}` };
      if (!server || Date.now() >= deadline) return { error: `no answer (${why})` };
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }
}

async function readBody(response) {
  const chunks = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > MAX_BODY) break;
  }
  return Buffer.concat(chunks).subarray(0, MAX_BODY).toString('utf8');
}

/** The page in a browser after its scripts ran. */
function readPage() {
  const profile = mkdtempSync(join(tmpdir(), 'guardkit-browser-'));
  const page = spawnSync(
    browser,
    [
      '--headless',
      // The outer sandbox is the boundary; the browser's own cannot be nested in it.
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--disable-dev-shm-usage',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      `--user-data-dir=${profile}`,
      '--virtual-time-budget=10000',
      '--dump-dom',
      url,
    ],
    {
      encoding: 'utf8',
      timeout: Math.max(1, deadline - Date.now()),
      killSignal: 'SIGKILL',
      maxBuffer: 16 * MAX_BODY,
    },
  );
  if (page.error) return { error: `the browser did not finish (${page.error.code ?? page.error.message})` };
  if (page.status !== 0) return { error: `the browser failed with ${page.signal ?? `exit ${page.status}`}` };
  return { page: page.stdout.slice(0, MAX_BODY) };
}
