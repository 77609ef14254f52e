import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, cpSync, readdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { launcherPath } from '../../src/enforcement/install/hook-launcher.ts';
import { Sandbox } from '../support/cli.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

let sandbox: Sandbox;

beforeEach(() => {
  sandbox = new Sandbox();
  sandbox.repository('shop');
  const npm = ['pack', '--ignore-scripts', '--pack-destination', sandbox.folder];
  execFileSync('npm', npm, { cwd: ROOT, stdio: 'ignore' });
  const [packed = ''] = readdirSync(sandbox.folder).filter((name) => name.endsWith('.tgz'));
  execFileSync('tar', ['-xzf', packed], { cwd: sandbox.folder });
  symlinkSync(join(ROOT, 'node_modules'), sandbox.path('package/node_modules'));
});

afterEach(() => sandbox.cleanup());

function run(command: string, args: string[], input = '') {
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd: sandbox.path('shop'),
    env: { ...sandbox.env, CLAUDE_PROJECT_DIR: sandbox.path('shop') },
    input,
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

function guardkit(...args: string[]) {
  return run(sandbox.path('package/bin/guardkit'), args);
}

function caches(): string[] {
  return readdirSync(sandbox.path('package/dist/program')).filter((name) => name.endsWith('.cache'));
}

function hook() {
  const payload = {
    session_id: 's',
    cwd: sandbox.path('shop'),
    hook_event_name: 'PreToolUse',
    tool_name: 'Read',
    tool_input: { file_path: sandbox.path('shop/a.js') },
    tool_use_id: 't',
  };
  return run(launcherPath(sandbox.home), ['claude'], JSON.stringify(payload));
}

const ALLOWED = { status: 0, stdout: '', stderr: '' };

it('init creates the code cache of an installed package, and doctor --fix recreates it [START-2]', () => {
  expect(caches()).toEqual([]);
  expect(guardkit('init', '--agent', 'claude', '--yes')).toMatchObject({ status: 0 });
  expect(caches()).toHaveLength(2);
  expect(hook()).toEqual(ALLOWED);

  for (const name of caches()) rmSync(sandbox.path('package/dist/program', name));
  expect(startCheck()).toEqual([{ id: 'start', outcome: 'absent' }]);
  expect(hook()).toEqual(ALLOWED);
  expect(guardkit('doctor', '--fix').status).not.toBe(null);
  expect(caches()).toHaveLength(2);
  expect(startCheck()).toEqual([]);
});

/** Doctor’s check of the code cache. */
function startCheck(): unknown[] {
  const { checks }: { checks: { id: string; outcome: string }[] } = JSON.parse(
    guardkit('doctor', '--json').stdout,
  );
  return checks.filter(({ id }) => id === 'start').map(({ id, outcome }) => ({ id, outcome }));
}

it('installing creates the code cache, and does not fail if that is impossible [START-2]', () => {
  const script = sandbox.path('package/scripts/make-code-cache.js');
  expect(run(process.execPath, [script, '--installing'])).toEqual(ALLOWED);
  expect(caches()).toHaveLength(2);
  rmSync(sandbox.path('package/dist/program'), { recursive: true });
  expect(run(process.execPath, [script, '--installing'])).toMatchObject({
    status: 0,
    stderr: expect.stringContaining('dist/program'),
  });
  expect(run(process.execPath, [script]).status).toBe(1);
});

it('a read-only installation without a code cache runs commands and hooks [START-2]', () => {
  expect(guardkit('init', '--agent', 'claude', '--yes')).toMatchObject({ status: 0 });
  for (const name of caches()) rmSync(sandbox.path('package/dist/program', name));
  const folders = ['package', 'package/dist', 'package/dist/program'].map((name) => sandbox.path(name));
  for (const folder of folders) chmodSync(folder, 0o555);
  try {
    expect(guardkit('feature', 'list')).toMatchObject({ status: 0, stderr: '' });
    expect(hook()).toEqual(ALLOWED);
    expect(caches()).toEqual([]);
  } finally {
    for (const folder of folders) chmodSync(folder, 0o755);
  }
});

it('hooks of a moved installation refuse until doctor --fix, and then use its code cache [START-2]', () => {
  expect(guardkit('init', '--agent', 'claude', '--yes')).toMatchObject({ status: 0 });
  cpSync(sandbox.path('package'), sandbox.path('moved'), { recursive: true, verbatimSymlinks: true });
  renameSync(sandbox.path('package'), sandbox.path('aside'));
  expect(hook()).toMatchObject({ status: 2, stdout: '' });
  expect(run(sandbox.path('moved/bin/guardkit'), ['doctor', '--fix']).status).not.toBe(null);
  expect(hook()).toEqual(ALLOWED);
});
