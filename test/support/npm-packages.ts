import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const CACHE = fileURLToPath(new URL('../../node_modules/.cache/guardkit-tests', import.meta.url));

/**
 * The folder `node_modules` with these packages, installed once and kept; undefined where npm cannot bring them, which
 * leaves out the tests that need them.
 */
export function npmPackages(...specs: readonly string[]): string | undefined {
  const folder = join(CACHE, specs.join('+').replace(/[^\w.@+-]/g, '_'));
  const modules = join(folder, 'node_modules');
  if (existsSync(modules)) return modules;
  const making = `${folder}.${process.pid}`;
  try {
    mkdirSync(making, { recursive: true });
    writeFileSync(join(making, 'package.json'), '{"private":true}');
    const args = ['install', '--no-audit', '--no-fund', '--prefer-offline', ...specs];
    execFileSync('npm', args, { cwd: making, stdio: 'ignore', timeout: 180_000 });
    renameSync(making, folder);
    return modules;
  } catch {
    // Safe: without the packages their tests are skipped by name.
    rmSync(making, { recursive: true, force: true });
    return existsSync(modules) ? modules : undefined;
  }
}
