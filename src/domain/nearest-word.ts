/** The known word closest to a misspelt one; undefined if none is close. */
export function nearestWord(word: string, known: readonly string[]): string | undefined {
  const text = word.slice(0, 100).toLowerCase();
  const near = known
    .map((candidate) => ({ candidate, distance: distanceOf(text, candidate.toLowerCase()) }))
    .filter(({ candidate, distance }) => distance <= Math.max(1, Math.floor(candidate.length / 3)))
    .sort((a, b) => a.distance - b.distance);
  return near[0]?.candidate;
}

/** The known word that differs by one letter, or has the same letters in another order. */
export function oneSlipFrom(word: string, known: readonly string[]): string | undefined {
  const letters = (text: string) => [...text].sort().join('');
  const text = word.slice(0, 100).toLowerCase();
  return known.find(
    (candidate) => editDistance(text, candidate) === 1 || letters(text) === letters(candidate),
  );
}

/** Compares as written and without leading zeros: F1 is F001. */
function distanceOf(from: string, to: string): number {
  const written = editDistance(from, to);
  const [said, known] = [withoutZeros(from), withoutZeros(to)];
  return said === from && known === to ? written : Math.min(written, editDistance(said, known));
}

/** Removes leading zeros of numbers. */
function withoutZeros(word: string): string {
  return word.replace(/(?<!\d)0+(?=\d)/g, '');
}

/** Edit distance: letters to insert, remove or replace. */
function editDistance(from: string, to: string): number {
  let previous = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    for (let column = 1; column <= to.length; column++) {
      const replaced = (previous[column - 1] ?? 0) + (from[row - 1] === to[column - 1] ? 0 : 1);
      current.push(Math.min(replaced, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    previous = current;
  }
  return previous[to.length] ?? 0;
}

/** Suffix for an error about an unknown name; empty if no name is close. `(` continues a sentence. */
export function didYouMean(near: string | undefined, lead: ' ' | '' | '(' = ' '): string {
  if (near === undefined || near === '') return '';
  return lead === '(' ? ` (did you mean ${near}?)` : `${lead}Did you mean ${near}?`;
}
