// How Node lays out the file of a snapshot.

/**
 * By its tag Node 20 knows whether a snapshot is of the same V8, told the same. It follows three texts at the beginning;
 * later versions do not look at what V8 is told.
 */
export function withTag(blob, before, after) {
  const at = tagPlace(blob);
  const tagged = Buffer.from(blob);
  if (tagged.readUInt32LE(at) === before) tagged.writeUInt32LE(after, at);
  return tagged;
}

function tagPlace(blob) {
  let at = 5;
  for (let text = 0; text < 3; text += 1) at += 8 + Number(blob.readBigUInt64LE(at));
  return at;
}

/** After the tag come the options of the snapshot, and V8's memory after its length. */
function afterMemory(blob) {
  const at = tagPlace(blob) + 8;
  const length = blob.readInt32LE(at);
  return length > 0 && at + 4 + length <= blob.length ? at + 4 + length : undefined;
}

/**
 * Node puts the compiled code of all its own modules at the end, two fifths of the whole, and reads it at every start; but
 * those that a program begins with are in its memory already. Gives it with the code of the named ones alone, or as it is
 * where it is laid out otherwise.
 */
export function withCodeOf(blob, names) {
  const compiled = findCompiled(blob);
  if (!compiled) return blob;
  const kept = compiled.modules.filter(({ id }) => names.includes(id));
  const begin = Buffer.from(blob.subarray(0, compiled.at + 8));
  begin.writeBigUInt64LE(BigInt(kept.length), compiled.at);
  return Buffer.concat([begin, ...kept.map(({ from, to }) => blob.subarray(from, to))]);
}

/**
 * Where the list of compiled code begins: its length, then of each module the name and the code, each after its own length.
 * It is the last thing in the file, so that only what ends with the file is one.
 */
function findCompiled(blob) {
  const begin = afterMemory(blob);
  if (begin === undefined) return undefined;
  for (let at = begin; at + 8 <= blob.length; at += 1) {
    const count = blob.readBigUInt64LE(at);
    const modules = count > 0n && count < 10_000n && readCompiled(blob, at + 8, Number(count));
    if (modules) return { at, modules };
  }
  return undefined;
}

function readCompiled(blob, begin, count) {
  const modules = [];
  let at = begin;
  const text = () => {
    if (at + 8 > blob.length) return undefined;
    const length = blob.readBigUInt64LE(at);
    if (length > BigInt(blob.length - at - 8)) return undefined;
    const found = blob.subarray(at + 8, at + 8 + Number(length));
    at += 8 + found.length;
    return found;
  };
  while (modules.length < count) {
    const from = at;
    const id = text()?.toString('latin1') ?? '';
    if (!/^[\w./-]{1,100}$/.test(id) || !text()) return undefined;
    modules.push({ id, from, to: at });
  }
  return at === blob.length ? modules : undefined;
}

/** The names of Node's own modules of which a snapshot has the compiled code. */
export function compiledModules(blob) {
  return findCompiled(blob)?.modules.map(({ id }) => id);
}
