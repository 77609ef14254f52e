import {
  FROM_REGISTRY,
  type LockedPackage,
  type LockedSource,
  localSource,
  sourceOfUrl,
  splitDescriptor,
} from './locked-package.ts';

interface Entry {
  descriptors: string[];
  fields: Map<string, string>;
  needs: string[];
}

/** A yarn.lock of Yarn 1 or later: entries that start at the margin, with fields and lists of dependencies. */
export function readYarnLock(text: string): LockedPackage[] {
  return readEntries(text).flatMap(({ descriptors, fields, needs }) =>
    descriptors.map((descriptor): LockedPackage => {
      const { name, range } = splitDescriptor(descriptor);
      const resolution = fields.get('resolution');
      return {
        name,
        version: fields.get('version') ?? '',
        source:
          resolution === undefined ? sourceInFirst(fields, name, range) : sourceInLater(resolution, name),
        pinned: fields.get('integrity') ?? fields.get('checksum') ?? fields.get('resolved') ?? '',
        needs,
      };
    }),
  );
}

function sourceInFirst(fields: ReadonlyMap<string, string>, name: string, range: string): LockedSource {
  const resolved = fields.get('resolved');
  if (resolved !== undefined) return sourceOfUrl(resolved, name);
  return /^(?:file|link|portal|git)\b|^\.|[\\/]/.test(range) ? localSource(range) : FROM_REGISTRY;
}

function sourceInLater(resolution: string, name: string): LockedSource {
  const { name: actual, range } = splitDescriptor(resolution);
  // Patches that Yarn brings along for a few packages.
  if (/^patch:[^#]*#(?:optional!)?builtin<[^>]*>(?:::|$)/.test(range)) return FROM_REGISTRY;
  if (!range.startsWith('npm:')) return localSource(resolution);
  const archive = /[:&]__archiveUrl=([^&]*)/.exec(range)?.[1];
  if (archive !== undefined) return sourceOfUrl(decoded(archive), name);
  return actual === name ? FROM_REGISTRY : { isLocal: false, text: actual };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // Safe: as written it is no address, which counts as a local source.
    return text;
  }
}

function readEntries(text: string): Entry[] {
  const entries: Entry[] = [];
  let inNeeds = false;
  for (const line of text.split(/\r?\n/)) {
    if (line.trim() === '' || line.startsWith('#')) continue;
    const indent = line.search(/\S/);
    const entry = entries.at(-1);
    if (indent === 0) {
      // The end of a key on lines of its own.
      if (line === ':') continue;
      entries.push({ descriptors: descriptorsIn(line), fields: new Map(), needs: [] });
      inNeeds = false;
    } else if (entry !== undefined && indent === 2) {
      const [, key = '', value = ''] = /^ {2}("[^"]*"|[^\s:]+):?(?:\s+(.*))?$/.exec(line) ?? [];
      inNeeds = /^(?:dependencies|optionalDependencies|peerDependencies)$/.test(unquoted(key));
      // The first one counts, as in Yarn's own reader an entry has each key once.
      if (!entry.fields.has(unquoted(key))) entry.fields.set(unquoted(key), unquoted(value));
    } else if (entry !== undefined && inNeeds) {
      const [word] = /"(?:[^"\\]|\\.)*"|[^\s:]+/.exec(line) ?? [''];
      entry.needs.push(unquoted(word));
    }
  }
  return entries;
}

function descriptorsIn(line: string): string[] {
  const words =
    line
      .replace(/^\? /, '')
      .replace(/:$/, '')
      .match(/"(?:[^"\\]|\\.)*(?:"|$)|[^",]+/g) ?? [];
  return words
    .flatMap((word) => unquoted(word.trim()).split(','))
    .map((word) => word.trim())
    .filter((word) => word !== '');
}

function unquoted(word: string): string {
  if (!word.startsWith('"')) return word;
  try {
    return String(JSON.parse(word));
  } catch {
    // Safe: Yarn cannot read such a word either.
    return word;
  }
}
