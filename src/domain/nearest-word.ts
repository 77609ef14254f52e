/** The known word that a misspelt one was probably meant to be; undefined if none is near. */
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

/** As they are written, or as they are said: F1 is F001. */
function distanceOf(from: string, to: string): number {
  const written = editDistance(from, to);
  const [said, known] = [withoutZeros(from), withoutZeros(to)];
  return said === from && known === to ? written : Math.min(written, editDistance(said, known));
}

/** Without those before a number. */
function withoutZeros(word: string): string {
  return word.replace(/(?<!\d)0+(?=\d)/g, '');
}

/** Letters to insert, remove or replace to get from one word to the other. */
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

/** For a message about a name that does not exist: the words that lead to it, then the name. Empty where none is near. */
export function didYouMean(near: string | undefined, lead: ' ' | '' | '; ' | ', ' = ' '): string {
  if (near === undefined || near === '') return '';
  return `${lead}${lead.trim() === '' ? 'Did' : 'did'} you mean ${near}?`;
}
