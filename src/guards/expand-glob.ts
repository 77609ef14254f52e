import { join } from 'node:path';
import { resolvePath } from '../platform/sandbox/resolve-path.ts';
import { fitsPattern } from './command/words/fits-pattern.ts';
import { look, names, type PathContext, protectedSpots } from './path-context.ts';

const PATTERN = /[*?[(]/;
const MAX_MATCHES = 500;
const MAX_LOOKED_AT = 5_000;
const MAX_FOLDERS = 500;

/** The paths that a shell would put for a pattern, as far as they can matter: where nothing is protected, none. */
export function expandGlob(pattern: string, context: PathContext): string[] {
  const parts = pattern.split('/').filter((part) => part !== '');
  const first = parts.findIndex((part) => PATTERN.test(part));
  if (first === -1) return [pattern];
  const folder = resolvePath(`/${parts.slice(0, first).join('/')}`).path;
  if (!concerns(folder, context)) return [];
  let found = [folder];
  let lookedAt = 0;
  let folders = 0;
  for (const part of parts.slice(first)) {
    const next: string[] = [];
    for (const at of found) {
      if (next.length >= MAX_MATCHES || lookedAt >= MAX_LOOKED_AT || folders >= MAX_FOLDERS) break;
      if (!PATTERN.test(part)) {
        if (part === '..' || part === '.' || look(join(at, part))) next.push(`${at}/${part}`);
        continue;
      }
      const wanted = simplified(part);
      folders += 1;
      for (const name of names(at)) {
        lookedAt += 1;
        // A shell leaves out hidden files unless the pattern begins with the dot.
        if (name.startsWith('.') && !part.startsWith('.')) continue;
        if (fitsPattern(name, wanted)) next.push(join(at, name));
      }
    }
    found = next;
    if (found.length === 0) return [];
  }
  return found.slice(0, MAX_MATCHES);
}

/** Something protected lies below this folder, or the folder lies in it. */
function concerns(folder: string, context: PathContext): boolean {
  const below = folder === '/' ? '/' : `${folder}/`;
  return protectedSpots(context).some(
    ({ path }) => path.startsWith(below) || `${folder}/`.startsWith(`${path}/`),
  );
}

/** A choice as anything: rather too much than too little. */
function simplified(part: string): string {
  return /[(]/.test(part) ? '*' : part;
}
