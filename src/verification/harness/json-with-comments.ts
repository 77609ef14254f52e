import { isTooDeep } from '../../domain/json/json.ts';

/** The value of a JSON text that may have comments and trailing commas; undefined if it is none. */
export function parseJsonWithComments(text: string): unknown {
  try {
    const value: unknown = JSON.parse(plainJson(text.replace(/^\uFEFF/, '')));
    return isTooDeep(value) ? undefined : value;
  } catch {
    // Safe: the caller decides what an unreadable file means.
    return undefined;
  }
}

/** A comment or string without an end reaches to the end of the text or line: looking for its end again takes forever. */
const COMMENT = /("(?:[^"\\\n]|\\.)*(?:"|$))|\/\/.*|\/\*(?:[^*]|\*(?!\/))*(?:\*\/|$(?![\s\S]))/gm;
const LAST_COMMA = /("(?:[^"\\\n]|\\.)*(?:"|$))|,(?=\s*[}\]])/gm;

function plainJson(text: string): string {
  const kept = text.replace(COMMENT, (_, word: string | undefined) => word ?? ' ');
  return kept.replace(LAST_COMMA, (_, word: string | undefined) => word ?? '');
}
