/** One entry of a lock file. */
export interface LockedPackage {
  /** Where it is installed, if the lock file says so; otherwise places are compared by name. */
  place?: string;
  name: string;
  version: string;
  /** Another package of the registry under this name, a folder, an archive or a repository. */
  source: LockedSource;
  /** The digest of its content. */
  pinned: string;
  /** The names of the packages that it needs. */
  needs: string[];
}

export interface LockedSource {
  isLocal: boolean;
  /** Empty for the registry's package of that name. */
  text: string;
  /** The registry, if it is none of the usual ones. */
  host?: string;
}

export const FROM_REGISTRY: LockedSource = { isLocal: false, text: '' };

const USUAL_HOSTS = new Set(['registry.npmjs.org', 'registry.yarnpkg.com']);

export function localSource(text: string): LockedSource {
  return { isLocal: true, text };
}

/** The source that an address means for a package; a registry's has the package's name and `/-/` in it. */
export function sourceOfUrl(address: string, name: string): LockedSource {
  if (!URL.canParse(address)) return localSource(address);
  const { protocol, hostname, pathname } = new URL(address);
  const isRegistry = /\/-\/|\/download\//.test(pathname) && /^https?:$/.test(protocol);
  if (!isRegistry && !USUAL_HOSTS.has(hostname)) return localSource(address);
  const [, found = name] =
    /((?:@[^/]{1,100}\/)?[^/]{1,200})\/-\//.exec(pathname.replaceAll(/%2f/gi, '/').replaceAll('%40', '@')) ??
    [];
  return {
    isLocal: false,
    text: found === name ? '' : found,
    ...(USUAL_HOSTS.has(hostname) ? {} : { host: hostname }),
  };
}

/** `@scope/name@range` in its parts. */
export function splitDescriptor(text: string): { name: string; range: string } {
  const [, name = text, range = ''] = /^(@?[^@]{1,300})@(.*)$/s.exec(text) ?? [];
  return { name, range };
}
