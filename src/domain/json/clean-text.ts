/** Control characters but tab and line break, marks that turn the direction of text, and tags that nobody sees. */
const UNSEEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]|[\u{e0000}-\u{e007f}]/gu;

/** Somebody else's text without what is not seen; a line ends in one way only. */
export function cleanText(text: string): string {
  return text
    .toWellFormed()
    .replace(/\r\n?|[\u2028\u2029]/g, '\n')
    .replace(UNSEEN, '');
}

/** At most so many characters, with a word on what is missing. */
export function cutText(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const kept = text.slice(0, Math.max(0, limit - 48)).toWellFormed();
  return `${kept}… [${text.length - kept.length} more characters left out]`;
}

/**
 * Text in which nothing opens or closes a block: what stands between the marks of one is shown to models, and a recorded
 * command that closes it would have the last word.
 */
export function withoutTags(text: string): string {
  return text.replaceAll('<', '‹');
}

/** Text as a part of one line: what has no line break cannot begin a heading or a block. */
export function oneLine(text: string, limit = 600): string {
  return cutText(cleanText(text).replace(/\s+/g, ' ').trim(), limit);
}
