import type { Outcome } from '../../../domain/entities/verification.ts';

// Control characters and marks that change the text direction.
const UNPRINTABLE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

/** Stored text is untrusted: control characters could rewrite the terminal, so they are replaced. */
export function printable(text: string): string {
  return text.toWellFormed().replace(UNPRINTABLE, '�');
}

/** Equivalent JSON that is safe on a terminal; JSON.stringify leaves half of the control characters. */
export function printableJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent).replace(
    UNPRINTABLE,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Text as one line of at most `width` characters. */
export function oneLine(text: string, width: number): string {
  const line = printable(text).replace(/\s+/g, ' ').trim();
  const characters = [...line];
  return characters.length <= width ? line : `${characters.slice(0, Math.max(1, width - 1)).join('')}…`;
}

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  if (bytes < 1_000_000) return `${(bytes / 1000).toFixed(1)} kB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** Icons for pass, fail and absent. */
export const OUTCOME_ICONS = { pass: '✓', fail: '✗', absent: '○' } as const satisfies Record<Outcome, string>;

/** `0.4 s`, `12 s`, `3 min 20 s`, `2 h 5 min`. */
export function formatSeconds(seconds: number): string {
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return `${minutes} min ${whole % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** Empty if unknown or zero. */
export function formatUsd(usd: number | null): string {
  return usd ? `$${usd.toFixed(2)}` : '';
}

/** Joins non-empty texts with commas. */
export function joined(...texts: readonly string[]): string {
  return texts.filter((text) => text !== '').join(', ');
}
