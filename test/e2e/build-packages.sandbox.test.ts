import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

it('a build without the dashboard’s packages fails before it writes anything', () => {
  const folder = temporaryFolder();
  cpSync(join(ROOT, 'scripts'), join(folder, 'scripts'), { recursive: true });
  cpSync(join(ROOT, 'package.json'), join(folder, 'package.json'));
  mkdirSync(join(folder, 'node_modules'));
  for (const name of ['esbuild', 'zod'])
    symlinkSync(join(ROOT, 'node_modules', name), join(folder, 'node_modules', name));
  const { status, stderr } = spawnSync(process.execPath, [join(folder, 'scripts', 'build.js')], {
    cwd: folder,
    encoding: 'utf8',
  });
  expect([status, stderr.includes('@preact/signals')]).toEqual([1, true]);
  expect(existsSync(join(folder, 'dist'))).toBe(false);
});
