interface Literal {
  text: string;
  bytes: Buffer;
  /** Offset of the pair of characters that it is looked up by. */
  offset: number;
}

/** From the rarest letter to the most common. */
const LETTERS = 'zqxjkvbpygfwmucldrhsnioate';

const NOTHING: ReadonlySet<string> = new Set();

/**
 * Makes a function that finds which of many ASCII literals are in a text, ignoring case, in one pass: hundreds of calls of
 * `includes` cost ten times as much. Other characters can cause a false match, but never hide a literal.
 */
export function literalFinder(literals: Iterable<string>): (text: string) => ReadonlySet<string> {
  const all = [...new Set(literals)];
  let inOnePass: ReturnType<typeof onePassFinder> | undefined;
  let shortTexts = 0;
  return (text) => {
    if (inOnePass) return inOnePass(text);
    // For a few short texts, building the tables costs more than searching for each literal. For many texts they pay off:
    // each search then costs a tenth.
    if (text.length <= SHORT && shortTexts < FEW) {
      shortTexts += 1;
      return findEach(all, text.toLowerCase());
    }
    inOnePass = onePassFinder(all);
    return inOnePass(text);
  };
}

const SHORT = 400;
const FEW = 32;

function findEach(literals: readonly string[], lower: string): ReadonlySet<string> {
  const found = literals.filter((literal) => lower.includes(literal.toLowerCase()));
  return found.length === 0 ? NOTHING : new Set(found);
}

function onePassFinder(literals: readonly string[]): (text: string) => ReadonlySet<string> {
  const groups: Literal[][] = [[]];
  /** The group of each pair of characters; most pairs have group 0, which is empty. */
  const groupOf = new Uint16Array(0x10000);
  for (const text of literals) {
    const bytes = Buffer.from(text.toLowerCase(), 'latin1');
    const offset = rarestPair(text.toLowerCase());
    const pair = bytes.readUInt16BE(offset);
    if (groupOf[pair] === 0) groupOf[pair] = groups.push([]) - 1;
    groups[groupOf[pair] ?? 0]?.push({ text, bytes, offset });
  }

  return (text) => {
    let found: Set<string> | undefined;
    const lower = text.toLowerCase();
    let pair = 0;
    for (let index = 0; index < lower.length; index += 1) {
      pair = ((pair << 8) | (lower.charCodeAt(index) & 0xff)) & 0xffff;
      const group = groupOf[pair] ?? 0;
      if (group === 0) continue;
      for (const literal of groups[group] ?? []) {
        if (isAt(lower, index - 1 - literal.offset, literal.bytes)) {
          found ??= new Set();
          found.add(literal.text);
        }
      }
    }
    return found ?? NOTHING;
  };
}

/** A rarer pair gives fewer false matches. Punctuation and digits are rarer than letters. */
function rarestPair(literal: string): number {
  const commonness = [...literal].map((character) => LETTERS.indexOf(character));
  const ofPair = (offset: number) => (commonness[offset] ?? 0) + (commonness[offset + 1] ?? 0);
  let rarest = 0;
  for (let offset = 1; offset < literal.length - 1; offset += 1) {
    if (ofPair(offset) < ofPair(rarest)) rarest = offset;
  }
  return rarest;
}

function isAt(text: string, start: number, literal: Buffer): boolean {
  if (start < 0 || start + literal.length > text.length) return false;
  for (let index = 0; index < literal.length; index += 1) {
    if ((text.charCodeAt(start + index) & 0xff) !== literal[index]) return false;
  }
  return true;
}
