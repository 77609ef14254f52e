/** Stands for a piece of text that is not known. No shell word can hold it. */
export const HOLE = '\0';

/** One word of a command after all expansions. */
export interface Field {
  readonly text: string;
  /** It has an unquoted `*`, `?` or `[`. */
  readonly glob: boolean;
}

export const UNKNOWN_FIELD: Field = { text: HOLE, glob: false };

export function plainField(text: string): Field {
  return { text, glob: false };
}

export function isKnown(text: string): boolean {
  return !text.includes(HOLE);
}

/** For people and for guards: what is not known shows as `…`. */
export function shownText(text: string): string {
  return text.replaceAll(HOLE, '…');
}

const MAX_TEXT = 64 * 1024;

/** A text that grew beyond all use is one that is not known. */
export function boundedText(text: string): string {
  const short = text.includes(HOLE + HOLE) ? text.replace(/\0+/g, HOLE) : text;
  return short.length > MAX_TEXT ? HOLE : short;
}
