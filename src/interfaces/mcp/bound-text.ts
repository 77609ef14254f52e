import { cleanText } from '../../domain/json/clean-text.ts';

/** About six thousand tokens: an answer is one part of a conversation. */
export const MAX_ANSWER = 24_000;

/** Somebody else's text as a part of an answer: without what is not seen, and in whole lines of so many characters at most. */
export function boundText(text: string, most = MAX_ANSWER): string {
  const clean = cleanText(text);
  if (clean.length <= most) return clean;
  const end = clean.lastIndexOf('\n', most);
  const kept = clean.slice(0, end > most / 2 ? end : most).toWellFormed();
  return `${kept}\n… ${clean.length - kept.length} more characters are left out; ask for less at once.`;
}
