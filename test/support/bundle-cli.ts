import { cpSync, mkdirSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { ONE_FILE } from './one-file.ts';
import { removeFolder } from './temporary-folder.ts';

const SOURCES = fileURLToPath(new URL('../../src/', import.meta.url));
/** What the built package has beside its program. */
const BESIDE = {
  tap: 'verification/runners/tap',
  probe: 'verification/checks/probe',
  'lfs-filter': 'platform/git/lfs-filter',
};
// Under node_modules, so that the packages it leaves outside are found from there, and vitest loads it as it is.
const CACHE = fileURLToPath(new URL('../../node_modules/.cache/guardkit-test/', import.meta.url));

export interface CliBundle {
  url: string;
  remove(): void;
}

/**
 * Makes one file of the command line as the sources have it now. Every test file of the command line loads it anew, and
 * the several hundred modules that it stands for would take longer to load than most of those take to run.
 */
export async function bundleCli(): Promise<CliBundle> {
  mkdirSync(CACHE, { recursive: true });
  const folder = mkdtempSync(join(CACHE, 'cli-'));
  const remove = () => removeFolder(folder);
  const file = join(folder, 'cli.mjs');
  try {
    await build({
      entryPoints: [join(SOURCES, 'interfaces/cli/program/run-cli.ts')],
      outfile: file,
      ...ONE_FILE,
      logLevel: 'silent',
    });
    for (const [name, from] of Object.entries(BESIDE))
      cpSync(join(SOURCES, from), join(folder, name), { recursive: true });
  } catch (error) {
    remove();
    throw error;
  }
  return { url: pathToFileURL(file).href, remove };
}
