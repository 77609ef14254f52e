import { posix } from 'node:path';
import { canonicalJson } from '../../domain/json/json.ts';
import { folderOf, type HarnessWalk, harnessPart, under } from './harness-part.ts';
import { commandOfExec, followInPackages, followScripts } from './package-scripts.ts';
import { allPackages, entries, listOf, own, readJson } from './read-packages.ts';

export const MONOREPO_RUNNERS = new Set(['turbo', 'nx', 'lerna', 'wireit', 'rush']);

/** turbo, nx and lerna run a script or a target of the same name in every package. */
export async function followMonorepoRunner(
  walk: HarnessWalk,
  words: readonly string[],
  folder: string,
): Promise<void> {
  const names = new Set(
    words
      .slice(1)
      .flatMap((word) => word.split(/[,=:]/))
      .filter((word) => /^[\w.-]+$/.test(word)),
  );
  for (const file of ['turbo.json', 'turbo.jsonc', 'nx.json'])
    await addTasks(walk, under(folder, file), ['tasks', 'pipeline', 'targetDefaults'], names);
  await addLerna(walk, under(folder, 'lerna.json'));
  await walk.addFile(under(folder, 'rush.json'), 1);
  const { files } = await walk.reader.list();
  for (const file of files.filter((one) => posix.basename(one) === 'project.json').slice(0, 500))
    await addTasks(walk, file, ['targets'], names);
  const started = words[0] === 'lerna' ? commandOfExec(words.slice(1), words[1]) : undefined;
  if (started !== undefined) return followInPackages(walk, started, await allPackages(walk));
  const full = words.slice(1).filter((word) => /^[\w:.-]+$/.test(word));
  for (const one of await allPackages(walk)) await followScripts(walk, [...names, ...full], one);
}

/** Adds the named tasks and their dependencies. A file that is not plain JSON counts as a whole. */
async function addTasks(
  walk: HarnessWalk,
  path: string,
  tables: readonly string[],
  names: ReadonlySet<string>,
): Promise<void> {
  const json = await readJson(walk, path);
  if (json === undefined) return walk.addFile(path, 1);
  for (const table of tables) {
    const tasks = new Map(entries(own(json, table)));
    const wanted = new Set(names);
    for (const name of wanted) {
      for (const key of [...tasks.keys()].filter((one) => one === name || one.endsWith(`#${name}`))) {
        const text = canonicalJson(tasks.get(key));
        walk.add(harnessPart(path, `${table}.${key}`, text));
        await walk.addNamedFiles(text, folderOf(path), 1);
        for (const needed of listOf(own(tasks.get(key), 'dependsOn')))
          if (typeof needed === 'string') wanted.add(needed.replace(/^\^|^.*#/, ''));
      }
    }
  }
}

/** Without the version, which every release changes. */
async function addLerna(walk: HarnessWalk, path: string): Promise<void> {
  const json = await readJson(walk, path);
  if (json === undefined) return walk.addFile(path, 1);
  const kept = Object.fromEntries(
    entries(json).filter(([key]) => !['version', '$schema', 'changelog'].includes(key)),
  );
  walk.add(harnessPart(path, 'settings', canonicalJson(kept)));
}
