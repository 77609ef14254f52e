import { rmSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const ROOT = new URL('../', import.meta.url);
let count = 0;

/**
 * Imports what modules of this project export that no built file does, by their paths from its root. They are TypeScript,
 * of which Node 20 reads none: one file is made of them, and gone as soon as it is loaded. It lies under node_modules, so
 * that the packages it leaves outside are found from there.
 */
export async function importSources(files) {
  const name = `node_modules/.cache/sources-${process.pid}-${++count}.mjs`;
  const outfile = fileURLToPath(new URL(name, ROOT));
  try {
    await build({
      stdin: {
        contents: files.map((file) => `export * from './${file}';`).join('\n'),
        resolveDir: fileURLToPath(ROOT),
      },
      outfile,
      bundle: true,
      platform: 'node',
      format: 'esm',
      packages: 'external',
      logLevel: 'warning',
    });
    return await import(pathToFileURL(outfile).href);
  } finally {
    rmSync(outfile, { force: true });
  }
}
