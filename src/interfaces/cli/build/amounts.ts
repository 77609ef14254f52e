/** `0.4 s`, `12 s`, `3 min 20 s`, `2 h 5 min`. */
export function formatSeconds(seconds: number): string {
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return `${minutes} min ${whole % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** Empty where nothing is known of it, or it cost nothing. */
export function formatUsd(usd: number | null): string {
  return usd ? `$${usd.toFixed(2)}` : '';
}

/** What there is, with commas. */
export function joined(...texts: readonly string[]): string {
  return texts.filter((text) => text !== '').join(', ');
}
