import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { launcherPath } from '../../src/enforcement/wiring/launcher.ts';
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
  return run(process.execPath, [sandbox.path('package/bin/guardkit.js'), ...args]);
}

function snapshots(): string[] {
  return readdirSync(sandbox.path('package/dist')).filter((name) => name.endsWith('.blob'));
}

function expectQuickHooks(): void {
  expect(readFileSync(launcherPath(sandbox.home), 'utf8')).toContain('--snapshot-blob');
  const payload = {
    session_id: 's',
    cwd: sandbox.path('shop'),
    hook_event_name: 'PreToolUse',
    tool_name: 'Read',
    tool_input: { file_path: sandbox.path('shop/a.js') },
    tool_use_id: 't',
  };
  const answer = run(launcherPath(sandbox.home), ['claude'], JSON.stringify(payload));
  expect(answer).toEqual({ status: 0, stdout: '', stderr: '' });
}

it('an installed package makes what hooks begin with when it is wired, and doctor --fix makes it anew [START-2]', () => {
  expect(snapshots()).toEqual([]);
  expect(guardkit('init', '--agent', 'claude', '--yes')).toMatchObject({ status: 0 });
  expect(snapshots()).toHaveLength(3);
  expectQuickHooks();

  for (const name of snapshots()) rmSync(sandbox.path('package/dist', name));
  expect(guardkit('doctor').stdout).toContain('hooks start slower than they could');
  expect(guardkit('doctor', '--fix').stdout).toContain('what hooks begin with was made for Node');
  expectQuickHooks();
  expect(guardkit('doctor').stdout).not.toContain('hooks start slower');
});

it('its installation makes it, and does not fail where it cannot [START-2]', () => {
  const script = sandbox.path('package/scripts/for-this-node.js');
  expect(run(process.execPath, [script, '--installing'])).toMatchObject({ status: 0, stderr: '' });
  expect(snapshots()).toHaveLength(3);
  rmSync(sandbox.path('package/dist/program'), { recursive: true });
  expect(run(process.execPath, [script, '--installing'])).toMatchObject({
    status: 0,
    stderr: expect.stringContaining('parts.json'),
  });
  expect(run(process.execPath, [script]).status).toBe(1);
});
