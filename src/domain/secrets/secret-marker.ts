const MARKER = /\[scrubbed:[a-z0-9-]{1,40}\]/g;

/** What stands where a credential was. The kind says what leaked, so that it can be revoked. */
export function secretMarker(kind: string): string {
  return `[scrubbed:${kind}]`;
}

/** The text without its markers: what is left of a value that was scrubbed in part. */
export function withoutMarkers(text: string): string {
  return text.includes('[scrubbed:') ? text.replace(MARKER, '') : text;
}

/** The text with something as long and harmless in place of its markers, for a look at its punctuation. */
export function maskMarkers(text: string): string {
  return text.includes('[scrubbed:') ? text.replace(MARKER, (marker) => 'x'.repeat(marker.length)) : text;
}
