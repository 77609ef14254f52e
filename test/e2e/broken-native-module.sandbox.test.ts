import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { launcherPath, writeLauncher } from '../../src/enforcement/install/hook-launcher.ts';
import { Sandbox } from '../support/cli.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** Node’s error for an addon compiled for another version. */
const SAYS =
  "The module '/x/better_sqlite3.node' was compiled against a different Node.js version using NODE_MODULE_VERSION 999.";

let sandbox: Sandbox;
beforeEach(async () => {
  sandbox = new Sandbox();
  sandbox.repository('shop');
  await sandbox.guardkit(['init', '--agent', 'claude'], { in: 'shop' });
});
afterEach(() => sandbox.cleanup());

/** The built package after a Node upgrade: complete, but its native module cannot be loaded. */
function brokenPackage(): string {
  const folder = sandbox.path('broken');
  mkdirSync(join(folder, 'dist'), { recursive: true });
  for (const name of ['package.json', 'bin', 'dist/bin.cjs', 'dist/hook.cjs'])
    cpSync(join(ROOT, name), join(folder, name), { recursive: true });
  symlinkSync(join(ROOT, 'dist', 'program'), join(folder, 'dist', 'program'));
  const module = join(folder, 'node_modules', 'better-sqlite3');
  mkdirSync(module, { recursive: true });
  writeFileSync(join(module, 'package.json'), '{"name": "better-sqlite3", "main": "index.js"}');
  const error = `Object.assign(new Error(${JSON.stringify(SAYS)}), { code: 'ERR_DLOPEN_FAILED' })`;
  writeFileSync(join(module, 'index.js'), `throw ${error};\n`);
  return folder;
}

describe('after an upgrade of Node that breaks the native module', () => {
  it('hooks refuse with a hint, and doctor reports what to rebuild', async () => {
    const folder = brokenPackage();
    const program = join(folder, 'dist', 'hook.cjs');
    writeLauncher({ node: process.execPath, program, dataFolder: sandbox.home });
    const options = { cwd: sandbox.path('shop'), env: sandbox.env, encoding: 'utf8' } as const;
    const payload = {
      session_id: 's',
      cwd: sandbox.path('shop'),
      hook_event_name: 'PreToolUse',
      tool_name: 'Read',
      tool_input: { file_path: sandbox.path('shop', 'a') },
      tool_use_id: 't',
    };
    const hook = spawnSync(launcherPath(sandbox.home), ['claude'], {
      ...options,
      input: JSON.stringify(payload),
    });
    expect(hook.status).toBe(2);
    expect(hook.stderr).toContain('guardkit doctor');
    const doctor = spawnSync(process.execPath, [join(folder, 'bin', 'guardkit.js'), 'doctor'], options);
    expect(doctor.status).toBe(1);
    expect(doctor.stdout).toContain('npm rebuild better-sqlite3');
  });
});
