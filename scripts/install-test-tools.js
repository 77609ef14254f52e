// Before the tests: on a Debian-like system, as root, installs the Debian packages that some tests use. Anywhere else
// it says what is missing. It never fails: a test whose tool is not there is skipped by name.
import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

const TOOLS = [
  { programs: ['bwrap'], package: 'bubblewrap', tests: 'tests of the sandbox' },
  { programs: ['go'], package: 'golang-go', tests: 'tests of Go projects' },
  { programs: ['py.test-3', 'pytest-3', 'pytest'], package: 'python3-pytest', tests: 'tests of pytest' },
  { programs: ['tmux'], package: 'tmux', tests: 'tests of a person at a terminal' },
  {
    programs: ['chromium', 'chromium-browser', 'google-chrome'],
    package: 'chromium',
    tests: 'tests of checks in a browser',
  },
];
const UPDATE_MS = 2 * 60_000;
const INSTALL_MS = 5 * 60_000;

const missing = TOOLS.filter((tool) => !isInstalled(...tool.programs));
for (const tool of TOOLS) if (!missing.includes(tool)) console.log(`${tool.package}: present`);

const obstacle = missing.length > 0 ? whyNotInstalled() : undefined;
let updated = false;
for (const tool of missing) {
  const failure = obstacle ?? install(tool);
  if (failure === undefined) console.log(`${tool.package}: installed`);
  else console.log(`${tool.package}: could not be had (${failure}); ${tool.tests} will be skipped by name`);
}
if (obstacle !== undefined)
  console.log(`To run them too, install ${missing.map((tool) => tool.package).join(' and ')}.`);

function whyNotInstalled() {
  if (!isInstalled('apt-get')) return 'there is no apt-get here';
  if (process.getuid?.() !== 0) return 'only root can install it';
  return undefined;
}

/** The reason if it is not there afterwards. The list of packages is fetched only if it is needed, and once. */
function install(tool) {
  let failure = aptGet(['install', '--yes', '--no-install-recommends', tool.package], INSTALL_MS);
  if (failure !== undefined && !updated) {
    updated = true;
    failure =
      aptGet(['update'], UPDATE_MS) ??
      aptGet(['install', '--yes', '--no-install-recommends', tool.package], INSTALL_MS);
  }
  if (failure !== undefined) return failure;
  return isInstalled(...tool.programs) ? undefined : `the package has no program ${tool.programs[0]}`;
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
