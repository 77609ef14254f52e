import { posix } from 'node:path';
import { type Field, HOLE, withoutMarks } from './words/field.ts';

const MAX_PATH = 4096;
/** Devices without content. */
const NO_FILE = /^\/dev\/(?:null|stdin|stdout|stderr|tty|zero|u?random|fd\/\d{1,9})$/;

export interface ResolvedPath {
  path: string;
  glob: boolean;
  exact: boolean;
}

/** The absolute path of a word in a folder; undefined if nothing of it is known, or it is not a file. */
export function resolvePath(field: Field, cwd: string): ResolvedPath | undefined {
  let text = withoutMarks(field.text.startsWith('file://') ? field.text.slice(7) : field.text);
  if (text === '' || text.length > MAX_PATH || text.includes('\n')) return undefined;
  let exact = true;
  if (text.startsWith(HOLE)) {
    // An unknown folder is most likely the current one.
    exact = false;
    const slash = text.indexOf('/');
    if (slash !== -1) text = `.${text.slice(slash)}`;
  }
  const glob = field.glob || text.includes(HOLE);
  if (text.includes(HOLE)) exact = false;
  text = text.replaceAll(HOLE, '*');
  if (/^[*/.]*$/.test(text) && text.includes('*') && !field.glob) return undefined;
  const path = posix.resolve(cwd, throughProc(text, cwd));
  return NO_FILE.test(path) ? undefined : { path, glob, exact };
}

/** Resolves `/proc/…/cwd` and `/proc/…/root`. */
function throughProc(text: string, cwd: string): string {
  const match = /^\/+proc\/(?:self|thread-self|\d{1,9}|\*)\/(?:task\/[^/]{1,20}\/)?(cwd|root)(?=\/|$)/.exec(
    text,
  );
  if (match === null) return text;
  return `${match[1] === 'cwd' ? cwd : ''}${text.slice(match[0].length)}` || '/';
}

/** Whether an argument of an unknown program is probably a path. */
export function looksLikePath(text: string): boolean {
  if (text === '' || text.length > MAX_PATH || text.startsWith('-') || /[\s\n]/.test(text)) return false;
  if (/^[a-z][a-z0-9+.-]{0,30}:\/\//i.test(text)) return text.startsWith('file://');
  return text.includes('/') || /^~|^\.|\.[A-Za-z]\w{0,15}$/.test(text);
}

const TERMINAL = /^(?:\/dev\/(?:stdin|tty|fd\/0|pts\/\d+)|\/proc\/(?:self|thread-self|\d+)\/fd\/0)$/;

/** Whether reading this path reads what is typed. */
export function isTerminalPath(path: string): boolean {
  return TERMINAL.test(path);
}
