// What a build was made of, and whether it is up to date.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Everything a build reads; the last file lists the installed packages. */
const READ = [
  'src',
  'dashboard',
  'scripts',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'tsconfig.types.json',
  'node_modules/.package-lock.json',
];

/** Changes with the sources, the packages, Node or the built files. */
export function buildState(root) {
  const hash = createHash('sha256').update(JSON.stringify([process.version, process.platform, process.arch]));
  for (const name of [...READ, 'dist']) add(hash, root, name);
  return hash.digest('hex');
}

/** Identifies the sources of a build, with the packages in them. */
export function sourceDigest(root) {
  const hash = createHash('sha256');
  for (const name of ['src', 'package.json', 'package-lock.json']) add(hash, root, name);
  return hash.digest('hex').slice(0, 16);
}

function add(hash, root, name) {
  const path = join(root, name);
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat?.isDirectory()) {
    for (const entry of readdirSync(path).sort()) add(hash, root, `${name}/${entry}`);
    return;
  }
  const content = stat && createHash('sha256').update(readFileSync(path)).digest('hex');
  hash.update(`${JSON.stringify([name, content ?? null])}\n`);
}
