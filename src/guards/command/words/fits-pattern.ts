/** Whether a text matches a shell pattern of `*`, `?`, `[…]` and literals, in time of at most the product of their lengths. */
export function fitsPattern(text: string, pattern: string): boolean {
  let at = 0;
  let inPattern = 0;
  let star = -1;
  let starAt = 0;
  while (at < text.length) {
    const fits = fitsOne(text[at] ?? '', pattern, inPattern);
    if (fits > 0) {
      at += 1;
      inPattern += fits;
    } else if (pattern[inPattern] === '*') {
      star = inPattern;
      starAt = at;
      inPattern += 1;
    } else if (star >= 0) {
      starAt += 1;
      at = starAt;
      inPattern = star + 1;
    } else return false;
  }
  while (pattern[inPattern] === '*') inPattern += 1;
  return inPattern === pattern.length;
}

/** How many characters of the pattern match one character of the text; 0 if none. */
function fitsOne(char: string, pattern: string, at: number): number {
  const first = pattern[at];
  if (first === undefined || first === '*') return 0;
  if (first === '?') return 1;
  if (first === '\\' && at + 1 < pattern.length) return pattern[at + 1] === char ? 2 : 0;
  if (first !== '[') return first === char ? 1 : 0;
  const end = setEnd(pattern, at);
  if (end === -1) return char === '[' ? 1 : 0;
  const negated = pattern[at + 1] === '!' || pattern[at + 1] === '^';
  const set = pattern.slice(at + (negated ? 2 : 1), end);
  return inSet(char, set) === negated ? 0 : end - at + 1;
}

/** The closing bracket of a set, ignoring the one in `[:space:]` and one in first position. */
function setEnd(pattern: string, start: number): number {
  let at = start + (pattern[start + 1] === '!' || pattern[start + 1] === '^' ? 3 : 2);
  for (; at < pattern.length; at += 1) {
    if (pattern.startsWith('[:', at - 1)) {
      const close = pattern.indexOf(':]', at + 1);
      if (close !== -1) at = close + 2;
    }
    if (pattern[at] === ']') return at;
  }
  return -1;
}

const CLASSES: Readonly<Record<string, RegExp>> = {
  alpha: /[A-Za-z]/,
  digit: /\d/,
  alnum: /[A-Za-z0-9]/,
  upper: /[A-Z]/,
  lower: /[a-z]/,
  space: /\s/,
  blank: /[ \t]/,
  punct: /[!-/:-@[-`{-~]/,
  xdigit: /[0-9A-Fa-f]/,
  word: /\w/,
};

function inSet(char: string, set: string): boolean {
  for (let at = 0; at < set.length; at += 1) {
    const name = set.startsWith('[:', at) ? /^\[:([a-z]{1,10}):\]/.exec(set.slice(at))?.[1] : undefined;
    if (name !== undefined) {
      // An unknown class may contain any character.
      if (!Object.hasOwn(CLASSES, name) || CLASSES[name]?.test(char)) return true;
      at += name.length + 3;
      continue;
    }
    const low = set[at] ?? '';
    if (set[at + 1] === '-' && at + 2 < set.length) {
      if (char >= low && char <= (set[at + 2] ?? '')) return true;
      at += 2;
    } else if (low === char) return true;
  }
  return false;
}
