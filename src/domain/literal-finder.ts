interface Literal {
  text: string;
  bytes: Buffer;
  /** Where in it the pair of characters is that it is looked up by. */
  offset: number;
}

/**
 * Makes a function that tells which of many ASCII literals are in a text, whatever their case, in one pass over it:
 * hundreds of calls of `includes` cost ten times as much. Other characters may feign a literal, but never hide one.
 */
export function literalFinder(literals: Iterable<string>): (text: string) => Set<string> {
  const byPair = new Map<number, Literal[]>();
  const isPair = new Uint8Array(0x10000);
  for (const text of new Set(literals)) {
    const bytes = Buffer.from(text.toLowerCase(), 'latin1');
    const offset = rarePair(text);
    const pair = bytes.readUInt16BE(offset);
    isPair[pair] = 1;
    byPair.set(pair, [...(byPair.get(pair) ?? []), { text, bytes, offset }]);
  }

  return (text) => {
    const found = new Set<string>();
    const bytes = Buffer.from(text.toLowerCase(), 'latin1');
    let pair = 0;
    for (let index = 0; index < bytes.length; index += 1) {
      pair = ((pair << 8) | (bytes[index] ?? 0)) & 0xffff;
      if (isPair[pair] === 0) continue;
      for (const literal of byPair.get(pair) ?? []) {
        if (isAt(bytes, index - 1 - literal.offset, literal.bytes)) found.add(literal.text);
      }
    }
    return found;
  };
}

/** A pair with a sign or a digit is rare in prose, so it seldom leads astray. */
function rarePair(literal: string): number {
  const rare = literal.search(/[^A-Za-z0-9 ]/);
  const digit = literal.search(/[0-9]/);
  return Math.min(Math.max(0, (rare >= 0 ? rare : digit) - 1), literal.length - 2);
}

function isAt(bytes: Buffer, start: number, literal: Buffer): boolean {
  if (start < 0 || start + literal.length > bytes.length) return false;
  for (let index = 0; index < literal.length; index += 1) {
    if (bytes[start + index] !== literal[index]) return false;
  }
  return true;
}
