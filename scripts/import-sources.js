import { rmSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const ROOT = new URL('../', import.meta.url);
let count = 0;

/**
 * Imports modules of this project that no built file exports, by their paths from its root. Node 20 cannot read TypeScript,
 * so they are bundled into one file, which is deleted once it is loaded. It is in node_modules, so that its external packages
 * are found from there.
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
      define: { __GUARDKIT_VERSION__: '"sources"', __GUARDKIT_BUILD__: '"sources"' },
      logLevel: 'warning',
    });
    return await import(pathToFileURL(outfile).href);
  } finally {
    rmSync(outfile, { force: true });
  }
}
