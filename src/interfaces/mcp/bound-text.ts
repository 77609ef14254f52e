import { cleanText } from '../../domain/json/clean-text.ts';

/** About six thousand tokens. */
export const MAX_ANSWER = 24_000;

/** Untrusted text for an answer: without invisible characters, cut at a line to at most `most` characters. */
export function boundText(text: string, most = MAX_ANSWER): string {
  const clean = cleanText(text);
  if (clean.length <= most) return clean;
  const end = clean.lastIndexOf('\n', most);
  const kept = clean.slice(0, end > most / 2 ? end : most).toWellFormed();
  return `${kept}\n… ${clean.length - kept.length} more characters omitted; request less at a time.`;
}
