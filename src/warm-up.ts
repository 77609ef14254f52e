/**
 * Uses what of Node itself every program uses, on a file that is there: what V8 compiles for it stays in the snapshot. It
 * leaves nothing behind.
 */
export function warmUp(file: string): void {
  const fs = process.getBuiltinModule('node:fs');
  const path = process.getBuiltinModule('node:path');
  const { createHash } = process.getBuiltinModule('node:crypto');
  const { fileURLToPath, pathToFileURL } = process.getBuiltinModule('node:url');
  const folder = path.dirname(file);
  for (const bigint of [true, false]) {
    for (const of of [folder, file]) {
      for (const found of [fs.statSync(of, { bigint }), fs.lstatSync(of, { bigint })])
        void [found.isFile(), found.isDirectory(), found.isSymbolicLink(), found.mtimeMs];
    }
  }
  fs.statSync(path.join(folder, '..', 'nowhere'), { throwIfNoEntry: false });
  fs.lstatSync(path.join(folder, '..', 'nowhere'), { throwIfNoEntry: false });
  fs.realpathSync(file);
  fs.realpathSync.native(file);
  fs.existsSync(file);
  for (const one of fs.readdirSync(folder, { withFileTypes: true })) void [one.isDirectory(), one.isFile()];
  fs.readdirSync(folder);
  try {
    fs.readlinkSync(file);
  } catch {
    // Safe: it is no link, and the error is part of what is used.
  }
  const descriptor = fs.openSync(file, 'r');
  const chunk = Buffer.alloc(100);
  fs.fstatSync(descriptor);
  const text = chunk.subarray(0, fs.readSync(descriptor, chunk, 0, chunk.length, 0)).toString('latin1');
  fs.closeSync(descriptor);
  chunk.readUInt32BE(4);
  Buffer.concat([chunk, Buffer.from(text)]).toString('utf8');
  fs.readFileSync(file, 'utf8');
  createHash('sha256').update(text).update(chunk).digest('hex');
  fileURLToPath(pathToFileURL(file).href);
  path.relative(folder, path.resolve(folder, '..', path.basename(file)));
  path.isAbsolute(path.normalize(`${path.dirname(file)}//.${path.extname(file)}`));
}
