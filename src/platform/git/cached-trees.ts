/** Folders of the index whose tree is already known: git commits that tree without looking at the entries below. */
export type CachedTrees = ReadonlyMap<string, string>;

const HEADER_BYTES = 12;
/** Times, device, mode, owner and size. */
const STAT_BYTES = 40;
const EXTENDED = 0x4000;
const NAME_LENGTH = 0xfff;

/** The cached trees in the content of an index file, by folder; the root is ''. Empty for anything that git would not read. */
export function cachedTrees(index: Buffer, idBytes: 20 | 32): CachedTrees {
  try {
    const end = index.length - idBytes;
    for (let at = endOfEntries(index, idBytes); at + 8 <= end; ) {
      const size = index.readUInt32BE(at + 4);
      if (index.toString('latin1', at, at + 4) === 'TREE')
        return treesIn(index.subarray(at + 8, at + 8 + size), idBytes);
      at += 8 + size;
    }
  } catch (error) {
    // Safe: git does not read an index that ends too early either.
    if (!(error instanceof RangeError)) throw error;
  }
  return new Map();
}

function endOfEntries(index: Buffer, idBytes: number): number {
  const version = index.readUInt32BE(4);
  const count = index.readUInt32BE(8);
  let at = HEADER_BYTES;
  for (let entry = 0; entry < count; entry += 1) {
    const start = at;
    at += STAT_BYTES + idBytes;
    const flags = index.readUInt16BE(at);
    at += (flags & EXTENDED) === 0 ? 2 : 4;
    if (version === 4) {
      // A number of any length: how much of the name before is kept.
      while ((index.readUInt8(at) & 0x80) !== 0) at += 1;
      at = endOfText(index, at + 1);
      continue;
    }
    const length = flags & NAME_LENGTH;
    at = length < NAME_LENGTH ? at + length : endOfText(index, at) - 1;
    // One to eight zeros, up to a multiple of eight.
    at = start + Math.floor((at - start) / 8 + 1) * 8;
  }
  return at;
}

/** Behind the zero that ends a text. */
function endOfText(bytes: Buffer, from: number): number {
  const zero = bytes.indexOf(0, from);
  if (zero < 0) throw new RangeError('no end');
  return zero + 1;
}

/** Each folder is followed by its subfolders. */
function treesIn(bytes: Buffer, idBytes: number): CachedTrees {
  const trees = new Map<string, string>();
  const open: { folder: string; left: number }[] = [];
  for (let at = 0; at < bytes.length; ) {
    const nameEnd = endOfText(bytes, at);
    const lineEnd = bytes.indexOf(10, nameEnd);
    const [entries = '', subfolders = ''] = bytes.toString('latin1', nameEnd, lineEnd).split(' ');
    if (lineEnd < 0 || !/^\d{1,9}$/.test(subfolders)) throw new RangeError('no numbers');
    while (open.at(-1)?.left === 0) open.pop();
    const parent = open.at(-1);
    const name = bytes.toString('utf8', at, nameEnd - 1);
    const folder = parent ? `${parent.folder}${name}/` : '';
    if (parent) parent.left -= 1;
    at = lineEnd + 1;
    if (!entries.startsWith('-')) {
      trees.set(folder.replace(/\/$/, ''), bytes.toString('hex', at, at + idBytes));
      at += idBytes;
    }
    open.push({ folder, left: Number(subfolders) });
  }
  return trees;
}
