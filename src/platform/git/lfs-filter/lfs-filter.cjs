// Replaces the contents of files in Git LFS by pointers and back, as git's filter process. GuardKit's git calls run this
// instead of git-lfs, which would run programs that the repository's settings name and download what is missing.
//
// The environment contains the repository's folder for LFS in GUARDKIT_LFS_STORE. Protocol: gitattributes(5), "Long
// Running Filter Process".
const { createHash, randomUUID } = require('node:crypto');
const {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  writeSync,
} = require('node:fs');
const { join } = require('node:path');

const VERSION = 'version https://git-lfs.github.com/spec/v1';
/** A larger file is not a pointer. */
const MOST_POINTER_BYTES = 1024;
const MOST_PACKET_BYTES = 65_516;

/** GuardKit reads code, settings and tests from git's objects, so these files have the same content there as when they run. */
const READ_AS_TEXT =
  /\.(?:[cm]?[jt]sx?|vue|svelte|astro|py[iwx]?|ipynb|go|mod|sum|rs|java|kts?|scala|groovy|gradle|rb|rake|ru|php|phpt|cs|fs|vb|csproj|c|cc|cpp|cxx|h|hh|hpp|mm?|swift|exs?|erl|hrl|clj[cs]?|hs|ml|lua|p[lm]|t|r|jl|dart|zig|nim|bats|sh|bash|zsh|fish|bat|cmd|ps1|html?|css|scss|less|json[5c]?|ya?ml|toml|ini|cfg|conf|config|properties|env|xml|lock|mk|cmake|snap|feature|md|mdx|rst|txt)$/i;

function isData(path) {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return name.indexOf('.') > 0 && !READ_AS_TEXT.test(name);
}

const store = process.env.GUARDKIT_LFS_STORE ?? '';

function readExactly(length) {
  const bytes = Buffer.alloc(length);
  let done = 0;
  while (done < length) {
    const read = readSync(0, bytes, done, length - done, null);
    if (read === 0) process.exit(0);
    done += read;
  }
  return bytes;
}

/** The content of the next packet; null for a flush packet. */
function readPacket() {
  const length = Number.parseInt(readExactly(4).toString('latin1'), 16);
  if (length === 0) return null;
  if (!(length > 4)) process.exit(1);
  return readExactly(length - 4);
}

function readLines() {
  const lines = [];
  for (let packet = readPacket(); packet !== null; packet = readPacket())
    lines.push(packet.toString('utf8').replace(/\n$/, ''));
  return lines;
}

function write(bytes) {
  for (let done = 0; done < bytes.length; ) done += writeSync(1, bytes, done);
}

function writePacket(content) {
  const bytes = typeof content === 'string' ? Buffer.from(`${content}\n`) : content;
  write(Buffer.from((bytes.length + 4).toString(16).padStart(4, '0'), 'latin1'));
  write(bytes);
}

function flush() {
  write(Buffer.from('0000', 'latin1'));
}

/** Git then uses the content as it is. */
function leaveAsIs() {
  writePacket('status=error');
  flush();
}

function objectPath(oid) {
  return join(store, 'objects', oid.slice(0, 2), oid.slice(2, 4), oid);
}

/** The hash and size in a pointer; undefined for any other content. */
function readPointer(bytes) {
  if (bytes.length > MOST_POINTER_BYTES) return undefined;
  const [version, ...rest] = bytes.toString('utf8').split('\n');
  if (version !== VERSION) return undefined;
  const oid = rest.find((line) => /^oid sha256:[0-9a-f]{64}$/.test(line))?.slice('oid sha256:'.length);
  const size = rest.find((line) => /^size \d{1,15}$/.test(line))?.slice('size '.length);
  return oid === undefined || size === undefined ? undefined : { oid, size: Number(size) };
}

/** Passes each part of the content on and returns how many bytes there were. */
function eachPart(use) {
  let size = 0;
  for (let packet = readPacket(); packet !== null; packet = readPacket()) {
    size += packet.length;
    use(packet);
  }
  return size;
}

/** The first bytes of the content, enough to recognize a pointer; the rest is dropped. */
function readStart() {
  const parts = [];
  let kept = 0;
  eachPart((part) => {
    if (kept <= MOST_POINTER_BYTES) parts.push(part);
    kept += part.length;
  });
  return Buffer.concat(parts);
}

function smudge(path) {
  const pointer = readPointer(readStart());
  if (pointer === undefined || !isData(path)) return leaveAsIs();
  let file;
  try {
    file = openSync(objectPath(pointer.oid), 'r');
  } catch {
    // Never downloaded: the person's own checkout contains the pointer as well.
    return leaveAsIs();
  }
  try {
    writePacket('status=success');
    flush();
    const hash = createHash('sha256');
    const bytes = Buffer.alloc(MOST_PACKET_BYTES);
    for (let read = readSync(file, bytes); read > 0; read = readSync(file, bytes)) {
      hash.update(bytes.subarray(0, read));
      writePacket(bytes.subarray(0, read));
    }
    flush();
    // Git discards the content if somebody replaced it.
    if (hash.digest('hex') !== pointer.oid) writePacket('status=error');
    flush();
  } finally {
    closeSync(file);
  }
}

function clean(path) {
  if (!isData(path)) {
    readStart();
    return leaveAsIs();
  }
  const folder = join(store, 'tmp');
  mkdirSync(folder, { recursive: true });
  const draft = join(folder, `guardkit-${randomUUID()}`);
  const file = openSync(draft, 'wx');
  const hash = createHash('sha256');
  const first = [];
  let size;
  try {
    let kept = 0;
    size = eachPart((part) => {
      if (kept <= MOST_POINTER_BYTES) first.push(part);
      kept += part.length;
      hash.update(part);
      for (let done = 0; done < part.length; ) done += writeSync(file, part, done);
    });
  } finally {
    closeSync(file);
  }
  try {
    // Git LFS leaves empty files and pointers as they are.
    if (size === 0 || readPointer(Buffer.concat(first)) !== undefined) return leaveAsIs();
    const oid = hash.digest('hex');
    const target = objectPath(oid);
    if (!existsSync(target)) {
      mkdirSync(join(target, '..'), { recursive: true });
      renameSync(draft, target);
    }
    writePacket('status=success');
    flush();
    writePacket(Buffer.from(`${VERSION}\noid sha256:${oid}\nsize ${size}\n`));
    flush();
    flush();
  } finally {
    rmSync(draft, { force: true });
  }
}

readLines();
writePacket('git-filter-server');
writePacket('version=2');
flush();
readLines();
writePacket('capability=clean');
writePacket('capability=smudge');
flush();

for (;;) {
  const asked = new Map(
    readLines().map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );
  const path = asked.get('pathname') ?? '';
  if (asked.get('command') === 'smudge') smudge(path);
  else clean(path);
}
