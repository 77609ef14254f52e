import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { mustRun, runCommand } from './run-command.js';

const MANIFESTS = [
  'package.json',
  'package-lock.json',
  'pnpm-lock.yaml',
  'yarn.lock',
  '.yarnrc.yml',
  '.npmrc',
];
// Generous: the rule of choose.js counts processor time, and the machine may be busy.
const SETUP_SECONDS = 1200;
const SUITE_SECONDS = 900;

export function folderName(repository) {
  return repository.replace('/', '__');
}

export function cloneOf(clones, repository) {
  const folder = join(clones, folderName(repository));
  if (!existsSync(folder)) throw new Error(`${repository}: no clone at ${folder}`);
  return folder;
}

/** The set-up and test commands a contributor would use on the files in `cwd`. */
export function nativeCommands(entry, cwd) {
  const has = (name) => existsSync(join(cwd, name));
  if (has('package.json')) {
    const manager = has('pnpm-lock.yaml') ? 'pnpm' : has('yarn.lock') ? 'yarn' : 'npm';
    const setup = { pnpm: 'pnpm install --frozen-lockfile', yarn: yarnInstall(cwd) };
    const npm = isTracked('package-lock.json', cwd)
      ? 'npm ci --no-audit --no-fund'
      : 'npm install --no-audit --no-fund';
    return { setup: entry.setup ?? setup[manager] ?? npm, test: entry.test ?? `${manager} test` };
  }
  if (has('go.mod')) return { test: entry.test ?? 'go test -count=1 ./...' };
  if (has('Cargo.toml')) return { test: entry.test ?? 'cargo test --offline' };
  return { test: entry.test ?? 'python3 -m pytest -q' };
}

/** An ignored lock file remains from another commit. */
function isTracked(name, cwd) {
  return spawnSync('git', ['ls-files', '--error-unmatch', name], { cwd }).status === 0;
}

function yarnInstall(cwd) {
  return existsSync(join(cwd, '.yarnrc.yml')) ? 'yarn install --immutable' : 'yarn install --frozen-lockfile';
}

/** One checkout per repository, in which its own suite runs without GuardKit. */
export class NativeCheckout {
  #setupOf;

  constructor(entry, { clones, work }) {
    this.entry = entry;
    this.source = cloneOf(clones, entry.repository);
    this.folder = join(work, 'native', folderName(entry.repository));
  }

  async open() {
    if (existsSync(this.folder)) return;
    mkdirSync(join(this.folder, '..'), { recursive: true });
    await mustRun(`git clone -q --no-checkout "${this.source}" "${this.folder}"`);
  }

  /** Checks a commit out, with the given paths as they are in another commit. */
  async checkOut(commit, { paths = [], from } = {}) {
    await mustRun(`git checkout -q -f --detach ${commit} && git clean -fdq -e node_modules`, {
      cwd: this.folder,
    });
    for (const path of paths) {
      const taken = await runCommand(`git checkout -q ${from} -- "${path}"`, { cwd: this.folder });
      if (taken.code !== 0) rmSync(join(this.folder, path), { recursive: true, force: true });
    }
  }

  async setUp() {
    const { setup } = nativeCommands(this.entry, this.folder);
    if (setup === undefined) return { code: 0, seconds: 0, output: '' };
    const wanted = hashOf(MANIFESTS.map((name) => join(this.folder, name)));
    if (this.#setupOf === wanted) return { code: 0, seconds: 0, output: '' };
    const result = await runCommand(setup, {
      cwd: this.folder,
      env: plainEnvironment(),
      seconds: SETUP_SECONDS,
    });
    this.#setupOf = result.code === 0 ? wanted : undefined;
    return result;
  }

  async test() {
    const { test } = nativeCommands(this.entry, this.folder);
    return runCommand(test, { cwd: this.folder, env: plainEnvironment(), seconds: SUITE_SECONDS });
  }
}

/** The environment of a person at a terminal, without variables from a parent npm or agent. */
export function plainEnvironment(extra = {}) {
  const kept = Object.entries(process.env).filter(([name]) =>
    /^(PATH|HOME|USER|LANG|LC_.*|TERM|TMPDIR|SHELL|NODE_EXTRA_CA_CERTS|SSL_CERT_(FILE|DIR)|(HTTPS?|NO)_PROXY)$/i.test(
      name,
    ),
  );
  return { ...Object.fromEntries(kept), CI: '1', COREPACK_ENABLE_DOWNLOAD_PROMPT: '0', ...extra };
}

function hashOf(files) {
  const hash = createHash('sha256');
  for (const file of files) hash.update(existsSync(file) ? readFileSync(file) : '-').update('\0');
  return hash.digest('hex');
}
