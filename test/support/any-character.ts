import fc from 'fast-check';

const SURROGATES = { from: 0xd800, count: 0x800 };

/** Any character, for `unit` of `fc.string`. fast-check's own `binary` keeps a table of all of them: 85 MB in every worker. */
export const ANY_CHARACTER = fc
  .integer({ min: 0, max: 0x10ffff - SURROGATES.count })
  .map(characterAt, placeOf);

function characterAt(place: number): string {
  return String.fromCodePoint(place < SURROGATES.from ? place : place + SURROGATES.count);
}

/** With it, fast-check shrinks texts that it did not make itself, and mixes in names like `__proto__`. */
function placeOf(character: unknown): number {
  const codePoint = (typeof character === 'string' ? character.codePointAt(0) : undefined) ?? -1;
  const place = codePoint < SURROGATES.from ? codePoint : codePoint - SURROGATES.count;
  if (place < 0 || characterAt(place) !== character) throw new Error('not one character');
  return place;
}
