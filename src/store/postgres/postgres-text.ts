/**
 * PostgreSQL's text type cannot store U+0000, which JSON strings and so indexed fields may contain. It is encoded as
 * two characters that keep equality and order. Lone surrogates, which UTF-8 does not have, become U+FFFD, as in
 * SQLite.
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
