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

function plainJson(text: string): string {
  const kept = text.replace(
    /("(?:[^"\\\n]|\\.)*")|\/\/[^\n]*|\/\*(?:[^*]|\*(?!\/))*\*\//g,
    (_, word: string | undefined) => word ?? ' ',
  );
  return kept.replace(/("(?:[^"\\\n]|\\.)*")|,(?=\s*[}\]])/g, (_, word: string | undefined) => word ?? '');
}
