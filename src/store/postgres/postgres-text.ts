/**
 * PostgreSQL's text cannot hold U+0000, which JSON strings and so indexed fields may. It is written as two characters
 * that sort where it would have, so that equality and order are those of the original. Lone surrogates, which UTF-8
 * does not have, become U+FFFD, as they do in SQLite.
 */
const ESCAPES = [
  ['\u0001', '\u0001\u0002'],
  ['\u0000', '\u0001\u0001'],
] as const;

export function encodeText(text: string): string {
  return ESCAPES.reduce(
    (encoded, [character, pair]) => encoded.replaceAll(character, pair),
    text.toWellFormed(),
  );
}

export function decodeText(text: string): string {
  return ESCAPES.reduceRight((decoded, [character, pair]) => decoded.replaceAll(pair, character), text);
}

/** Rows for `json_to_recordset`. */
export function encodeRows(rows: readonly object[]): string {
  return JSON.stringify(rows, (_key, value: unknown) =>
    typeof value === 'string' ? encodeText(value) : value,
  );
}
