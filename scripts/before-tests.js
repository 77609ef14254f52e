// Runs before the tests: installs tools that some of them use, then builds and checks types and style at the same time, since
// one after the other leaves a core idle. Layers are checked by tests.
import { spawn, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

spawnSync(process.execPath, ['scripts/install-test-tools.js'], { cwd: root, stdio: 'inherit' });
const TSC = ['node_modules/typescript/bin/tsc', '--noEmit', '--checkers', '1'];
const results = await Promise.all([
  inTurn([TSC]),
  inTurn([
    ['scripts/build-if-needed.js'],
    // Types of the tests of its pages are checked where these run: in the thorough run. They load almost all sources.
    ...(process.env.GUARDKIT_TESTS === 'all' ? ['dashboard', 'test/dashboard'] : ['dashboard']).map(
      (project) => [...TSC, '-p', project],
    ),
    ['node_modules/@biomejs/biome/bin/biome', 'check', '.'],
  ]),
]);
process.exitCode = results.every(Boolean) ? 0 : 1;

/** Whether all succeeded. Output is printed per command, so that it does not mix. */
async function inTurn(commands) {
  for (const args of commands) {
    const { code, said } = await run(args);
    process.stdout.write(said);
    if (code !== 0) {
      console.error(`${args.join(' ')}: failed (${code})`);
      return false;
    }
  }
  return true;
}

function run(args) {
  const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
  const chunks = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => chunks.push(chunk));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve({ code: signal ?? code, said: Buffer.concat(chunks) }));
  });
}
