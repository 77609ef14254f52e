/** Splits a command line into words as a POSIX shell does, without expanding anything; undefined if a quote is not closed. */
export function shellWords(line: string): string[] | undefined {
  const words: string[] = [];
  let word: string | undefined;
  for (let at = 0; at < line.length; at++) {
    const character = line[at] as string;
    if (/\s/.test(character)) {
      if (word !== undefined) words.push(word);
      word = undefined;
      continue;
    }
    word ??= '';
    if (character === "'") {
      const end = line.indexOf("'", at + 1);
      if (end < 0) return undefined;
      word += line.slice(at + 1, end);
      at = end;
    } else if (character === '"') {
      for (at++; line[at] !== '"'; at++) {
        if (at >= line.length) return undefined;
        if (line[at] === '\\' && /["\\$`]/.test(line[at + 1] ?? '')) at++;
        word += line[at];
      }
    } else if (character === '\\') {
      at++;
      word += line[at] ?? '';
    } else word += character;
  }
  if (word !== undefined) words.push(word);
  return words;
}
