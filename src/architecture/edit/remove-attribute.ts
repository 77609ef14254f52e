import type { AttributeList } from '../dot/dot-syntax.ts';
import type { TextPatch } from './text-patch.ts';

/** Takes attributes out of a list, with the marks between them; of an empty list nothing stays. */
export function removeAttributes(text: string, list: AttributeList, names: ReadonlySet<string>): TextPatch[] {
  const { attributes } = list;
  const kept = attributes.filter(({ key }) => !names.has(key.value));
  if (kept.length === attributes.length) return [];
  if (kept.length === 0) {
    let start = list.start;
    while (text.charAt(start - 1) === ' ' || text.charAt(start - 1) === '\t') start--;
    return [{ start, end: list.end, text: '' }];
  }
  const patches: TextPatch[] = [];
  let keptEnd: number | undefined;
  attributes.forEach((attribute, index) => {
    if (!names.has(attribute.key.value)) {
      keptEnd = attribute.end;
      return;
    }
    const next = attributes[index + 1];
    // The first ones go with the mark after them, the others with the one before.
    if (keptEnd === undefined)
      patches.push({ start: attribute.start, end: next?.start ?? attribute.end, text: '' });
    else {
      patches.push({ start: keptEnd, end: attribute.end, text: '' });
      keptEnd = attribute.end;
    }
  });
  return patches;
}
