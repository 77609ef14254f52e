import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
let count = 0;

/** What is no part of the library is bundled from the source, by its path under src/. */
export async function bundleSources(files) {
  const { build } = await import('esbuild');
  const outfile = join(ROOT, 'node_modules', '.cache', `bench-${process.pid}-${++count}.mjs`);
  await build({
    stdin: {
      contents: files.map((file) => `export * from './src/${file}.ts';`).join('\n'),
      resolveDir: ROOT,
    },
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
  });
  return import(pathToFileURL(outfile).href);
}
