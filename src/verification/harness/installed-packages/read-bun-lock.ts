import {
  FROM_REGISTRY,
  type LockedPackage,
  type LockedSource,
  localSource,
  splitDescriptor,
} from './locked-package.ts';

/** A bun.lock, which has one package per line: `"path": ["name@version", "", { … }, "digest"]`. */
export function readBunLock(text: string): LockedPackage[] {
  return [...text.matchAll(/^\s*"([^"\n]{1,500})":\s*\["([^"\n]{1,500})"(.*)\],?$/gm)].map(
    ([, path = '', id = '', rest = '']): LockedPackage => {
      const name = /(?:^|\/)((?:@[^/]+\/)?[^/]+)$/.exec(path)?.[1] ?? path;
      const { name: actual, range } = splitDescriptor(id);
      const source: LockedSource = !/^\d/.test(range)
        ? localSource(range)
        : actual === name
          ? FROM_REGISTRY
          : { isLocal: false, text: actual };
      const needs = [...rest.matchAll(/"(?:dependencies|peerDependencies)":\s*\{([^}]*)\}/g)].flatMap(
        ([, list = '']) => [...list.matchAll(/"([^"]+)":/g)].map(([, one = '']) => one),
      );
      return { name, version: range, source, pinned: /"(sha\d+-[^"]+)"/.exec(rest)?.[1] ?? '', needs };
    },
  );
}
