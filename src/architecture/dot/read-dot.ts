import { DotFault, LineIndex, type Place } from './dot-fault.ts';
import { DotParser } from './dot-parser.ts';
import type { DotTree } from './dot-syntax.ts';

/** A text that cannot be read as a graph, and where it stops being one. */
export interface DotRefusal extends Place {
  code: string;
  message: string;
}

export type DotResult = { ok: true; tree: DotTree } | { ok: false; fault: DotRefusal };

/** Far more than a graph that people keep: 5,000 nodes with descriptions are about 1.5 million characters. */
export const MAX_DOT_CHARACTERS = 4 * 1024 * 1024;

/** Reads the one graph of a text, all of the DOT language. What Graphviz refuses is refused, with its place. */
export function readDot(text: string): DotResult {
  try {
    if (text.length > MAX_DOT_CHARACTERS) {
      const message = `the text has ${text.length} characters; at most ${MAX_DOT_CHARACTERS} are read`;
      throw new DotFault('dot.too-large', message, 0);
    }
    const conflict = findConflictMarker(text);
    if (conflict !== -1) {
      const message = 'an unresolved git conflict begins here (<<<<<<<); resolve it and remove its markers';
      throw new DotFault('dot.conflict', message, conflict);
    }
    const nul = text.indexOf('\0');
    if (nul !== -1) throw new DotFault('dot.character', 'a NUL character, which no DOT text may hold', nul);
    return { ok: true, tree: new DotParser(text).graph() };
  } catch (error) {
    if (!(error instanceof DotFault)) throw error;
    const place = new LineIndex(text).placeOf(error.offset);
    return { ok: false, fault: { code: error.code, message: error.message, ...place } };
  }
}

/**
 * Where git left the first conflict, or -1. It has to be looked for before reading: `<<<<<<< … >>>>>>>` is also the
 * name of a node in the HTML form, so Graphviz takes a conflict without a word.
 */
function findConflictMarker(text: string): number {
  let began = -1;
  let divided = false;
  for (let at = 0; at !== -1 && at < text.length; ) {
    const mark = text.startsWith('<<<<<<<', at)
      ? '<'
      : text.startsWith('=======', at)
        ? '='
        : text.startsWith('>>>>>>>', at)
          ? '>'
          : '';
    if (mark !== '' && isWhole(text, at + 7)) {
      if (mark === '<') {
        began = at;
        divided = false;
      } else if (mark === '=') divided = began !== -1;
      else if (divided) return began;
    }
    const next = text.indexOf('\n', at);
    at = next === -1 ? -1 : next + 1;
  }
  return -1;
}

/** Seven marks, then a space or the end of the line. */
function isWhole(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return at >= text.length || code === 32 || code === 10 || code === 13;
}
