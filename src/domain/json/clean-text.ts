/** Control characters except tab and line break, direction marks, and invisible tags. */
const UNSEEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]|[\u{e0000}-\u{e007f}]/gu;

/** Removes invisible characters from foreign text and normalises line ends. */
export function cleanText(text: string): string {
  return text
    .toWellFormed()
    .replace(/\r\n?|[\u2028\u2029]/g, '\n')
    .replace(UNSEEN, '');
}

/** Truncates a text and notes how much is missing. */
export function cutText(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const kept = text.slice(0, Math.max(0, limit - 48)).toWellFormed();
  return `${kept}… [${text.length - kept.length} more characters left out]`;
}

/**
 * Text that cannot open or close a block. Blocks are shown to models, and recorded text that closed its block would read
 * as GuardKit's own words.
 */
export function withoutTags(text: string): string {
  return text.replaceAll('<', '‹');
}

/** Fits text into one line: without line breaks it cannot start a heading or a block. */
export function oneLine(text: string, limit = 600): string {
  return cutText(cleanText(text).replace(/\s+/g, ' ').trim(), limit);
}
