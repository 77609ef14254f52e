import { FROM_REGISTRY, type LockedPackage, localSource, sourceOfUrl } from './locked-package.ts';

/** A package-lock.json or npm-shrinkwrap.json. */
export function readNpmLock(text: string): LockedPackage[] {
  let packages: unknown;
  try {
    packages = (JSON.parse(text) as { packages?: unknown } | null)?.packages;
  } catch {
    // Safe: npm ignores an unreadable lock file too.
    return [];
  }
  if (packages === null || typeof packages !== 'object') return [];
  return Object.entries(packages).flatMap(([key, value]: [string, unknown]) =>
    key.includes('node_modules/') && value !== null && typeof value === 'object'
      ? [readEntry(key, value as Record<string, unknown>)]
      : [],
  );
}

function readEntry(key: string, value: Record<string, unknown>): LockedPackage {
  const { version, integrity, resolved, link, name: alias, dependencies, peerDependencies } = value;
  const name = key.slice(key.lastIndexOf('node_modules/') + 'node_modules/'.length);
  const address = String(resolved ?? '');
  const found =
    link === true || /^(?:file|git)\b/.test(address)
      ? localSource(address)
      : address === ''
        ? FROM_REGISTRY
        : sourceOfUrl(address, typeof alias === 'string' ? alias : name);
  return {
    place: key,
    name,
    version: String(version),
    source: typeof alias === 'string' && !found.isLocal ? { ...found, text: alias } : found,
    pinned: String(integrity ?? resolved ?? ''),
    needs: [dependencies, peerDependencies].flatMap((group) =>
      group !== null && typeof group === 'object' ? Object.keys(group) : [],
    ),
  };
}
