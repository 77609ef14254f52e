// Installs the Debian packages that some tests need, if run as root on a system with apt-get; otherwise lists the missing
// ones. Never fails: tests without their tool are skipped.
import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

const TOOLS = [
  { programs: ['bwrap'], package: 'bubblewrap', tests: 'tests of the sandbox' },
  { programs: ['go'], package: 'golang-go', tests: 'tests of Go projects' },
  // Not a version manager's pytest: tests have the system's programs.
  { programs: ['py.test-3', 'pytest-3'], package: 'python3-pytest', tests: 'tests of pytest' },
  { programs: ['tmux'], package: 'tmux', tests: 'tests with a person at a terminal' },
  {
    programs: ['chromium', 'chromium-browser', 'google-chrome'],
    package: 'chromium',
    tests: 'tests of the dashboard and of checks in a browser',
  },
  {
    programs: ['pgbouncer'],
    package: 'pgbouncer',
    tests: 'tests of workers behind PgBouncer (npm run test:all)',
    isService: true,
  },
];
const UPDATE_MS = 2 * 60_000;
const INSTALL_MS = 5 * 60_000;

const missing = TOOLS.filter((tool) => !isInstalled(...tool.programs));
for (const tool of TOOLS) if (!missing.includes(tool)) console.log(`${tool.package}: present`);

const obstacle = missing.length > 0 ? whyNotInstalled() : undefined;
let updated = false;
for (const tool of missing) {
  const failure = obstacle ?? (tool.isService ? 'installing it would start a service' : install(tool));
  if (failure === undefined) console.log(`${tool.package}: installed`);
  else console.log(`${tool.package}: not installed (${failure}); ${tool.tests} will be skipped`);
}
if (obstacle !== undefined)
  console.log(`To run them, install ${missing.map((tool) => tool.package).join(' and ')}.`);

function whyNotInstalled() {
  if (!isInstalled('apt-get')) return 'no apt-get';
  if (process.getuid?.() !== 0) return 'not root';
  return undefined;
}

/** The reason if the installation failed. Fetches the package list only if needed, and once. */
function install(tool) {
  let failure = aptGet(['install', '--yes', '--no-install-recommends', tool.package], INSTALL_MS);
  if (failure !== undefined && !updated) {
    updated = true;
    failure =
      aptGet(['update'], UPDATE_MS) ??
      aptGet(['install', '--yes', '--no-install-recommends', tool.package], INSTALL_MS);
  }
  if (failure !== undefined) return failure;
  return isInstalled(...tool.programs) ? undefined : `the package does not contain ${tool.programs[0]}`;
}

function aptGet(args, timeout) {
  const lock = ['-o', 'DPkg::Lock::Timeout=60'];
  const { status, signal, error, stderr } = spawnSync('apt-get', ['--quiet=2', ...lock, ...args], {
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', LC_ALL: 'C' },
    stdio: ['ignore', 'ignore', 'pipe'],
    encoding: 'utf8',
    timeout,
  });
  if (status === 0) return undefined;
  if (error) return `apt-get ${args[0]}: ${error.message}`;
  const said = stderr.split('\n').findLast((line) => line.startsWith('E:')) ?? signal ?? `exit ${status}`;
  return `apt-get ${args[0]}: ${said}`;
}

function isInstalled(...programs) {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return folders.some((folder) => programs.some((program) => isExecutable(join(folder, program))));
}

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
