import { isUtf8 } from 'node:buffer';
import { closeSync, constants, fstatSync, lstatSync, openSync, readFileSync } from 'node:fs';
import { explainAccess } from '../../platform/files/explain-access.ts';
import type { YamlFault } from '../yaml/parse-yaml.ts';

/** Bigger than any configuration a person writes. */
const MAX_BYTES = 1024 * 1024;

/** A fault of the text, or of the file itself, which has to be mended outside of it. */
export interface TextFault extends YamlFault {
  unreadable?: true;
  /** Says what to do, where that is known. */
  hint?: string;
}

export type ConfigText = { ok: true; text: string } | { ok: false; fault: TextFault };

/** The text of a file, empty where there is none; anything else that stands in its place is a fault. */
export function readConfigText(file: string): ConfigText {
  try {
    // Without waiting: a pipe of this name has no end, and nobody may ever write into it.
    const descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const stat = fstatSync(descriptor);
      if (!stat.isFile()) return unreadable(stat.isDirectory() ? 'EISDIR' : 'it is no file');
      if (stat.size > MAX_BYTES)
        return beginning({ code: 'too-large', message: 'the file is larger than 1 MB' });
      return decode(readFileSync(descriptor));
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    const closed = explainAccess(error);
    if (closed)
      return beginning({ code: 'unreadable', message: closed.message, unreadable: true, hint: closed.hint });
    if (code !== 'ENOENT' && code !== 'ENOTDIR') return unreadable(code);
    // A link that leads nowhere was meant to say something.
    const link = code === 'ENOENT' && lstatSync(file, { throwIfNoEntry: false });
    return link ? unreadable('a link that leads nowhere') : { ok: true, text: '' };
  }
}

function decode(bytes: Buffer): ConfigText {
  const text = bytes.toString('utf8');
  // A mark at the beginning would be counted as a column.
  if (isUtf8(bytes)) return { ok: true, text: text.replace(/^\uFEFF/, '') };
  const before = text.slice(0, text.indexOf('\uFFFD')).split('\n');
  const place = { line: before.length, column: (before.at(-1) ?? '').length + 1 };
  const message = 'this is not UTF-8; save the file as UTF-8';
  return { ok: false, fault: { ...place, code: 'not-utf8', message } };
}

function unreadable(why: string): ConfigText {
  return beginning({ code: 'unreadable', message: `the file cannot be read (${why})`, unreadable: true });
}

function beginning(fault: Omit<TextFault, 'line' | 'column'>): ConfigText {
  return { ok: false, fault: { line: 1, column: 1, ...fault } };
}
