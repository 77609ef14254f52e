import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Sandbox } from '../support/cli.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

let sandbox: Sandbox;

beforeEach(() => {
  sandbox = new Sandbox();
});

afterEach(() => sandbox.cleanup());

it('on an old Node, the error lists the supported versions', () => {
  sandbox.write('old.cjs', 'process.getBuiltinModule = undefined;');
  const words = ['--require', sandbox.path('old.cjs'), join(ROOT, 'bin', 'guardkit.js'), 'doctor'];
  const { status, stdout, stderr } = spawnSync(process.execPath, words, {
    cwd: sandbox.folder,
    env: sandbox.env,
    encoding: 'utf8',
  });
  expect({ status, stdout }).toEqual({ status: 3, stdout: '' });
  expect(stderr).toMatch(/20\.19.*22\.12/);
  expect(stderr).toContain('guardkit doctor --fix');
});
