const ESCAPES: ReadonlyMap<string, number> = new Map([
  ['a', 7],
  ['b', 8],
  ['t', 9],
  ['n', 10],
  ['v', 11],
  ['f', 12],
  ['r', 13],
  ['"', 34],
  ['\\', 92],
]);

/** The path that git shows in double quotes, its bytes as octal escapes; undefined if it is not quoted like that. */
export function unquotePath(shown: string): string | undefined {
  const bytes: Buffer[] = [];
  let at = 1;
  while (at < shown.length) {
    const character = shown.charAt(at);
    if (character === '"') return Buffer.concat(bytes).toString('utf8');
    if (character !== '\\') {
      const end = shown.slice(at).search(/["\\]/);
      if (end === -1) return undefined;
      bytes.push(Buffer.from(shown.slice(at, at + end)));
      at += end;
      continue;
    }
    const octal = /^[0-3][0-7]{2}/.exec(shown.slice(at + 1, at + 4))?.[0];
    const byte = octal === undefined ? ESCAPES.get(shown.charAt(at + 1)) : Number.parseInt(octal, 8);
    if (byte === undefined) return undefined;
    bytes.push(Buffer.from([byte]));
    at += octal === undefined ? 2 : 4;
  }
  return undefined;
}
