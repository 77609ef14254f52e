/** Replaces the text from `start` up to, not including, `end`. */
export interface TextPatch {
  start: number;
  end: number;
  text: string;
}

/** Applies all patches and leaves the text between them unchanged. */
export function applyPatches(text: string, patches: readonly TextPatch[]): string {
  return sliceWithPatches(text, 0, text.length, patches);
}

/** A part of the text, with the patches inside it applied. */
export function sliceWithPatches(
  text: string,
  start: number,
  end: number,
  patches: readonly TextPatch[],
): string {
  const inside = patches
    .filter((patch) => patch.start >= start && patch.end <= end)
    .sort((a, b) => a.start - b.start || a.end - b.end);
  let result = '';
  let at = start;
  for (const patch of inside) {
    if (patch.start < at) throw new Error(`patches overlap at offset ${patch.start}`);
    result += text.slice(at, patch.start) + patch.text;
    at = patch.end;
  }
  return result + text.slice(at, end);
}
