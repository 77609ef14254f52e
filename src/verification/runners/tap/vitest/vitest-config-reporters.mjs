// A reporter on vitest's command line replaces those of its config. A project may depend on them, so they are added
// again.
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Adds the reporters from the config in place of the default one. */
export async function restoreReporters(vitest, ours) {
  const wanted = (vitest.vite ?? vitest.server)?.config?.test?.reporters;
  const list = wanted === undefined ? [] : [wanted].flat();
  if (list.length === 0 || !Array.isArray(vitest.reporters)) return;
  const made = await Promise.all(list.map((reference) => make(reference, vitest)));
  const usable = made.filter((reporter) => typeof reporter === 'object' && reporter !== null);
  if (usable.length === 0) return;
  vitest.reporters.splice(0, vitest.reporters.length, ours, ...usable);
  for (const reporter of usable) await reporter.onInit?.(vitest);
}

async function make(reference, vitest) {
  const [name, options] = Array.isArray(reference) ? reference : [reference, {}];
  if (typeof name !== 'string') return name;
  const builtIn = (await builtInReporters())[name];
  if (builtIn !== undefined) return new builtIn(options ?? {});
  const path = /^\.{1,2}\//.test(name) ? resolve(vitest.config.root, name) : name;
  const load = vitest.runner?.import ?? vitest.runner?.executeId;
  const loaded = await load.call(vitest.runner, path);
  return new loaded.default(options ?? {});
}

async function builtInReporters() {
  const fromRunner = createRequire(process.argv[1]);
  for (const name of ['vitest/node', 'vitest/reporters']) {
    const { ReportersMap } = await import(pathToFileURL(fromRunner.resolve(name)).href);
    if (ReportersMap !== undefined) return ReportersMap;
  }
  return {};
}
