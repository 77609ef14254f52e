import { DotFault, LineIndex, type Place } from './dot-fault.ts';
import { DotParser } from './dot-parser.ts';
import type { DotTree } from './dot-syntax.ts';

/** Why a text cannot be read as a graph, and where. */
export interface DotRefusal extends Place {
  code: string;
  message: string;
}

export type DotResult = { ok: true; tree: DotTree } | { ok: false; fault: DotRefusal };

/** Far larger than real graphs: 5,000 nodes with descriptions take about 1.5 million characters. */
export const MAX_DOT_CHARACTERS = 4 * 1024 * 1024;

/** Reads the single graph of a text, in the full DOT language. Rejects everything that Graphviz rejects, with line and column. */
export function readDot(text: string): DotResult {
  try {
    if (text.length > MAX_DOT_CHARACTERS) {
      const message = `the file has ${text.length} characters; the limit is ${MAX_DOT_CHARACTERS}`;
      throw new DotFault('dot.too-large', message, 0);
    }
    const conflict = findConflictMarker(text);
    if (conflict !== -1) {
      const message = 'unresolved git conflict (<<<<<<<); resolve it and remove the markers';
      throw new DotFault('dot.conflict', message, conflict);
    }
    const nul = text.indexOf('\0');
    if (nul !== -1) throw new DotFault('dot.character', 'NUL character, which DOT does not allow', nul);
    return { ok: true, tree: new DotParser(text).graph() };
  } catch (error) {
    if (!(error instanceof DotFault)) throw error;
    const place = new LineIndex(text).placeOf(error.offset);
    return { ok: false, fault: { code: error.code, message: error.message, ...place } };
  }
}

/**
 * The offset of the first git conflict, or -1. Checked before parsing: `<<<<<<< … >>>>>>>` is also a node name in the HTML
 * form, so Graphviz accepts a conflict silently.
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

/** A marker is seven characters, then a space or the end of the line. */
function isWhole(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return at >= text.length || code === 32 || code === 10 || code === 13;
}
