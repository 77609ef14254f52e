import { posix } from 'node:path';
import { type HarnessWalk, harnessPart, LOCKED, unfollowedPart } from '../harness-part.ts';
import { isJudge } from './judging-packages.ts';
import type { LockedPackage } from './locked-package.ts';
import { readBunLock } from './read-bun-lock.ts';
import { readNpmLock } from './read-npm-lock.ts';
import { readPnpmLock } from './read-pnpm-lock.ts';
import { readYarnLock } from './read-yarn-lock.ts';

const READERS: Readonly<Record<string, (text: string) => LockedPackage[]>> = {
  'package-lock.json': readNpmLock,
  'npm-shrinkwrap.json': readNpmLock,
  'yarn.lock': readYarnLock,
  'pnpm-lock.yaml': readPnpmLock,
  'bun.lock': readBunLock,
};
const MAX_LOCKS = 50;

/** Whether a package judges, or one that judges needs it. */
export type IsNeeded = (name: string) => boolean;

/**
 * Adds the content that lock files pin for the packages that judge: the same version must stay the same package. For these
 * and all that they depend on, also whether they come from the registry: a package of the project must not take their place.
 */
export async function addLockedPackages(walk: HarnessWalk, files: readonly string[]): Promise<IsNeeded> {
  const all = files.filter(
    (path) => Object.hasOwn(READERS, posix.basename(path)) && !/(?:^|\/)(?:__)?fixtures?(?:__)?\//.test(path),
  );
  if (all.length > MAX_LOCKS) walk.add(unfollowedPart('(tree)', 'it has too many lock files'));
  const needed = new Set<string>();
  for (const path of all.slice(0, MAX_LOCKS)) {
    const text = await walk.reader.readLongText(path);
    if (text === undefined) await walk.addFile(path, 0);
    const packages = READERS[posix.basename(path)]?.(text ?? '') ?? [];
    const here = withDependencies(packages);
    for (const name of here) needed.add(name);
    for (const [part, content] of partsOf(packages, here)) walk.add(harnessPart(path, part, content));
  }
  return (name) => isJudge(name) || needed.has(name);
}

function withDependencies(packages: readonly LockedPackage[]): Set<string> {
  const needs = new Map<string, string[]>();
  for (const one of packages) needs.set(one.name, [...(needs.get(one.name) ?? []), ...one.needs]);
  const found = new Set(packages.map(({ name }) => name).filter(isJudge));
  // A set is iterated with the names that are added meanwhile.
  for (const name of found) for (const needed of needs.get(name) ?? []) found.add(needed);
  return found;
}

function partsOf(packages: readonly LockedPackage[], needed: ReadonlySet<string>): Map<string, string> {
  const sources = new Map<string, Set<string>>();
  const parts = new Map<string, string>();
  for (const one of packages) {
    const { place, name, version, source, pinned } = one;
    if (isJudge(name) && pinned !== '') {
      // Yarn's digests differ by the version of its cache.
      const cache = /^(\w{1,10})\//.exec(pinned)?.[1];
      const at = place ?? (cache === undefined ? 'any place' : `cache ${cache}`);
      parts.set(`${LOCKED}${name} ${version} at ${at}`, pinned);
    }
    if (!source.isLocal && !needed.has(name)) continue;
    const key = `${LOCKED}source of ${place ?? name}`;
    sources.set(key, (sources.get(key) ?? new Set()).add(sourceText(one, needed.has(name))));
  }
  for (const [key, texts] of sources) parts.set(key, [...texts].sort().join('\n'));
  return parts;
}

/** Where a package that nothing judging needs is in the tree may change. */
function sourceText({ name, source }: LockedPackage, isNeeded: boolean): string {
  if (source.isLocal) return isNeeded ? `local ${source.text}` : 'local';
  return ['registry', isJudge(name) ? source.host : undefined, source.text].filter(Boolean).join(' ');
}
