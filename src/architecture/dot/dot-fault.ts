/** Thrown where a text cannot be read as a graph. */
export class DotFault extends Error {
  readonly offset: number;
  readonly code: string;

  constructor(code: string, message: string, offset: number) {
    super(message);
    this.name = 'DotFault';
    this.code = code;
    this.offset = offset;
  }
}

export interface Place {
  line: number;
  column: number;
}

const BYTE_ORDER_MARK = 0xfeff;

/** Converts offsets of a text to lines and columns, both counted from 1. */
export class LineIndex {
  readonly #text: string;
  #starts: number[] | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  placeOf(offset: number): Place {
    this.#starts ??= lineStarts(this.#text);
    let low = 0;
    let high = this.#starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    // Editors do not show a byte order mark, so it does not count as a column.
    const hidden = low === 0 && offset > 0 && this.#text.charCodeAt(0) === BYTE_ORDER_MARK ? 1 : 0;
    return { line: low + 1, column: offset - (this.#starts[low] ?? 0) + 1 - hidden };
  }
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}
