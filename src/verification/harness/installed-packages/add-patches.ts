import { posix } from 'node:path';
import { type HarnessWalk, harnessPart } from '../harness-part.ts';
import type { IsNeeded } from './add-locked-packages.ts';

/** The part name of a patch of installed packages. */
const PATCH = 'patch of ';
const HEADER = /^(?:diff --git|---|\+\+\+|rename (?:from|to)|copy (?:from|to)|Index:)\s/;

/** Adds patches of installed packages that judge, or that these need: they name the files to change in node_modules. */
export async function addPatches(
  walk: HarnessWalk,
  files: readonly string[],
  isNeeded: IsNeeded,
): Promise<void> {
  for (const path of files.filter((file) => /\.(?:patch|diff)$/.test(file))) {
    const text = await walk.reader.readText(path);
    if (text === undefined) {
      await walk.addFile(path, 0);
      continue;
    }
    const names = [...new Set([...patchedPackages(text), ...namedPackages(path)])].filter(isNeeded).sort();
    if (names.length > 0) walk.add(harnessPart(path, `${PATCH}${names.join(', ')}`, text));
  }
}

function patchedPackages(text: string): Set<string> {
  const names = new Set<string>();
  for (const line of text.split('\n'))
    if (HEADER.test(line))
      for (const word of line.split(/\s+/)) {
        const path = posix.normalize(word.replaceAll('"', ''));
        const inside = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
        if (path.includes('node_modules/'))
          names.add(
            inside
              .split('/')
              .slice(0, inside.startsWith('@') ? 2 : 1)
              .join('/'),
          );
      }
  return names;
}

/** From names such as `a+1.0.0.patch`, `a++@b+c+1.0.0.patch`, `@b__c@1.0.0.patch` and `a-npm-1.0.0-0123abcd.patch`. */
function namedPackages(path: string): string[] {
  return posix
    .basename(path, posix.extname(path))
    .split('++')
    .flatMap((word) => /^(@[^+_]+(?:\+|__)[^+@]+|[^+@]+?)(?:[+@].*|-npm-.*)?$/.exec(word)?.[1] ?? [])
    .map((name) => name.replace(/\+|__/, '/'));
}
