import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { GuardKitError } from '../../guardkit-error.ts';
import type { LauncherContext } from './hook-launcher.ts';

/** Real path of GuardKit's own installation. */
export function packageFolder(): string {
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    if (isOwnPackage(join(folder, 'package.json'))) return realpathSync(folder);
    if (dirname(folder) === folder) throw incomplete('its package.json');
  }
}

function isOwnPackage(path: string): boolean {
  if (!existsSync(path)) return false;
  const value: unknown = JSON.parse(readFileSync(path, 'utf8'));
  return value !== null && typeof value === 'object' && 'name' in value && value.name === 'guardkit';
}

/** This installation's main program. */
export function programFile(): string {
  return join(packageFolder(), 'dist', 'bin.cjs');
}

/** The launcher's parts: this Node and this installation's hook program. */
export function launcherParts(dataFolder: string): LauncherContext {
  const program = join(packageFolder(), 'dist', 'hook.cjs');
  if (!existsSync(program)) throw incomplete('its program');
  return { node: process.execPath, program, dataFolder };
}

function incomplete(what: string): GuardKitError {
  return new GuardKitError({
    code: 'package.incomplete',
    kind: 'outside',
    message: `GuardKit’s installation is incomplete: ${what} is missing.`,
    hint: 'Reinstall guardkit; in a source checkout, run `npm run build`.',
  });
}
