/** Stands for unknown text. No shell word can contain it. */
export const HOLE = '\0';

/** Encloses the number of a search, in place of its results; see `FileSearch`. */
export const MARK = '\ue000';

const MARKS = /\ue000\d{1,6}\ue000/g;

/** One word of a command after all expansions. */
export interface Field {
  readonly text: string;
  /** Whether it has an unquoted `*`, `?` or `[`. */
  readonly glob: boolean;
}

export const UNKNOWN_FIELD: Field = { text: HOLE, glob: false };

export function plainField(text: string): Field {
  return { text, glob: false };
}

export function isKnown(text: string): boolean {
  return !text.includes(HOLE) && !text.includes(MARK);
}

/** For messages and guards: shows unknown text as `…`. */
export function shownText(text: string): string {
  return withoutMarks(text).replaceAll(HOLE, '…');
}

/** The text with every search replaced by a hole. */
export function withoutMarks(text: string): string {
  return text.includes(MARK) ? text.replace(MARKS, HOLE).replaceAll(MARK, '') : text;
}

const MAX_TEXT = 64 * 1024;

/** Treats an excessively long text as unknown. */
export function boundedText(text: string): string {
  const short = text.includes(HOLE + HOLE) ? text.replace(/\0+/g, HOLE) : text;
  return short.length > MAX_TEXT ? HOLE : short;
}
