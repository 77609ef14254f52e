const MAX_LENGTH = 200;

/**
 * A word from a trace as a glob that fits exactly this word; undefined where there is none. A glob has no way to say that
 * a star is meant as a star, so a word with one stays outside: it would fit what nobody attempted.
 */
export function literalGlob(word: string): string | undefined {
  const usable =
    word !== '' &&
    word.length <= MAX_LENGTH &&
    word.isWellFormed() &&
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is refused
    !/[*?\u0000-\u001f\u007f-\u009f\u2028\u2029…]/.test(word) &&
    !word.includes('[scrubbed');
  return usable ? word : undefined;
}

export function literalGlobs(words: readonly string[]): string[] {
  return words.flatMap((word) => literalGlob(word) ?? []);
}
