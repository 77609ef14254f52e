import { existsSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Where the files lie that are loaded into test runners: beside this file, or in the built package in `dist/tap`. */
export function tapFolder(): string {
  const here = dirname(fileURLToPath(import.meta.url));
  const candidates = [join(here, 'tap'), join(here, '..', 'tap')];
  const found = candidates.find((folder) => existsSync(join(folder, 'tap.cjs')));
  if (found === undefined)
    throw new Error(`The package is incomplete: no tap.cjs in ${candidates.join(' or ')}.`);
  // As Node will name it once it is loaded, also where the package is linked.
  return realpathSync(found);
}
