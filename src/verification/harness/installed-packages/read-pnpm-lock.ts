import {
  FROM_REGISTRY,
  type LockedPackage,
  type LockedSource,
  localSource,
  sourceOfUrl,
} from './locked-package.ts';

/** A pnpm-lock.yaml of any version, read by its indentation: parsing it as YAML would take seconds. */
export function readPnpmLock(text: string): LockedPackage[] {
  const found = new Map<string, LockedPackage>();
  const direct: LockedPackage[] = [];
  for (const { path, value } of leaves(text)) {
    const [section = '', ...rest] = path;
    if (section === 'packages' || section === 'snapshots') readPackage(found, direct, rest, value);
    else if (DEPENDENCIES.test(section)) readDirect(direct, rest, value);
    else if (section === 'importers' && DEPENDENCIES.test(rest[1] ?? ''))
      readDirect(direct, rest.slice(2), value);
  }
  return [...found.values(), ...direct];
}

const DEPENDENCIES = /^(?:dependencies|devDependencies|optionalDependencies|peerDependencies)$/;

function readPackage(
  found: Map<string, LockedPackage>,
  direct: LockedPackage[],
  [id = '', field, name]: readonly string[],
  value: string,
): void {
  const one = found.get(id) ?? packageOf(id);
  found.set(id, one);
  if (field === 'resolution' && name === undefined) {
    one.pinned = /integrity: ([^,}\s]+)/.exec(value)?.[1] ?? value;
    const tarball = /tarball: ([^,}\s]+)/.exec(value)?.[1];
    if (/\b(?:type|repo|commit|directory):/.test(value)) one.source = localSource(value);
    else if (tarball !== undefined) one.source = sourceOfUrl(tarball, one.name);
  } else if (DEPENDENCIES.test(field ?? '') && name !== undefined) {
    one.needs.push(name);
    // The version of a peer is a range.
    if (field !== 'peerDependencies') direct.push(referenceTo(name, value));
  }
}

/** `chai: {specifier, version}`, or the version alone in old files. */
function readDirect(direct: LockedPackage[], [name, field]: readonly string[], value: string): void {
  if (name !== undefined && (field === undefined || field === 'version'))
    direct.push(referenceTo(name, value));
}

/** A dependency on a version, on another package under this name, or on a folder. */
function referenceTo(name: string, value: string): LockedPackage {
  const source: LockedSource = /^\d/.test(value)
    ? FROM_REGISTRY
    : /^(?:link|file|workspace|portal|git\S*|https?):/.test(value)
      ? localSource(value)
      : aliased(value, name);
  return { name, version: '', source, pinned: '', needs: [] };
}

function aliased(value: string, name: string): LockedSource {
  const actual = packageOf(value).name;
  return actual === name ? FROM_REGISTRY : { isLocal: false, text: actual };
}

/** From `/@scope/name/1.0.0`, `/@scope/name@1.0.0(peer@2.0.0)` or `@scope/name@1.0.0`. */
function packageOf(id: string): LockedPackage {
  const plain = id.replace(/^\//, '').replace(/\(.*$/, '');
  const [, name = plain, version = ''] =
    /^(@[^/]{1,200}\/[^@/]{1,200}|[^@/]{1,200})[@/](.*)$/.exec(plain) ?? [];
  const isLocal = version !== '' && !/^\d/.test(version);
  return {
    name,
    version,
    source: isLocal ? localSource(version) : FROM_REGISTRY,
    pinned: '',
    needs: [],
  };
}

interface Leaf {
  path: string[];
  value: string;
}

/** Keys that have a value on their own line, with the keys above them. */
function leaves(text: string): Leaf[] {
  const found: Leaf[] = [];
  const above: { indent: number; key: string }[] = [];
  for (const line of text.split(/\r?\n/)) {
    const [, space = '', quoted = '', value = ''] = /^( *)([^\s#].*?):(?:\s+(\S.*))?$/.exec(line) ?? [];
    if (quoted === '') continue;
    while ((above.at(-1)?.indent ?? -1) >= space.length) above.pop();
    above.push({ indent: space.length, key: unquoted(quoted) });
    if (value !== '') found.push({ path: above.map(({ key }) => key), value: unquoted(value.trim()) });
  }
  return found;
}

function unquoted(word: string): string {
  return /^'.*'$|^".*"$/.test(word) ? word.slice(1, -1).replaceAll("''", "'") : word;
}
