const MARKER = /\[scrubbed:[a-z0-9-]{1,40}\]/g;

/** Replaces a credential. The kind tells which one to revoke. */
export function secretMarker(kind: string): string {
  return `[scrubbed:${kind}]`;
}

/** Removes the markers from a partly scrubbed value. */
export function withoutMarkers(text: string): string {
  return text.includes('[scrubbed:') ? text.replace(MARKER, '') : text;
}

/** Replaces markers with filler of the same length, to examine the punctuation. */
export function maskMarkers(text: string): string {
  return text.includes('[scrubbed:') ? text.replace(MARKER, (marker) => 'x'.repeat(marker.length)) : text;
}
