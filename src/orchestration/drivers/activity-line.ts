const MAX_CHARACTERS = 160;

/** What an agent does, in one line without anything that a terminal would act on. */
export function activityLine(what: string, detail = ''): string {
  // Cut first: the text may be a whole file.
  const text = `${what} ${detail.slice(0, 4 * MAX_CHARACTERS)}`.replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim();
  return text.length <= MAX_CHARACTERS ? text : `${text.slice(0, MAX_CHARACTERS - 1)}…`;
}
