const MAX_WORDS = 256;
const MAX_DEPTH = 16;

/**
 * The words that brace expansion makes of the source text of one word, quotes and expansions left as they are;
 * undefined if they are too many.
 */
export function expandBraces(source: string, depth = 0): string[] | undefined {
  if (depth > MAX_DEPTH) return undefined;
  const brace = firstBrace(source);
  if (brace === undefined) return [source];
  const before = source.slice(0, brace.start);
  const tails = expandBraces(source.slice(brace.end), depth + 1);
  if (tails === undefined) return undefined;
  const words: string[] = [];
  for (const choice of brace.choices) {
    const heads = brace.nested ? expandBraces(choice, depth + 1) : [choice];
    if (heads === undefined || words.length + heads.length * tails.length > MAX_WORDS) return undefined;
    for (const head of heads) for (const tail of tails) words.push(before + head + tail);
  }
  return words;
}

interface Brace {
  start: number;
  end: number;
  choices: string[];
  nested: boolean;
}

function firstBrace(source: string): Brace | undefined {
  for (let at = 0; at < source.length; at = skipOne(source, at)) {
    if (source[at] !== '{' || source[at - 1] === '$') continue;
    const found = readBrace(source, at);
    if (found !== undefined) return found;
  }
  return undefined;
}

function readBrace(source: string, start: number): Brace | undefined {
  const choices: string[] = [];
  let from = start + 1;
  let depth = 1;
  for (let at = start + 1; at < source.length; ) {
    const char = source[at];
    if (char === '{') depth += 1;
    else if (char === ',' && depth === 1) {
      choices.push(source.slice(from, at));
      from = at + 1;
    } else if (char === '}') {
      depth -= 1;
      if (depth === 0) {
        const last = source.slice(from, at);
        if (choices.length > 0) return { start, end: at + 1, choices: [...choices, last], nested: true };
        const range = readRange(last);
        return range === undefined ? undefined : { start, end: at + 1, choices: range, nested: false };
      }
    }
    at = skipOne(source, at);
  }
  return undefined;
}

/** The place after a character, a quoted string or an escape. */
function skipOne(source: string, at: number): number {
  const char = source[at];
  if (char === '\\') return at + 2;
  if (char !== "'" && char !== '"') return at + 1;
  let end = at + 1;
  while (end < source.length && source[end] !== char) end += char === '"' && source[end] === '\\' ? 2 : 1;
  return end + 1;
}

function readRange(text: string): string[] | undefined {
  const [first = '', last = '', step = '1', ...more] = text.split('..');
  if (more.length > 0 || !/^-?\d{1,6}$/.test(step)) return undefined;
  const letters = /^[a-zA-Z]$/.test(first) && /^[a-zA-Z]$/.test(last);
  if (!letters && !(/^-?\d{1,9}$/.test(first) && /^-?\d{1,9}$/.test(last))) return undefined;
  const from = letters ? first.charCodeAt(0) : Number(first);
  const to = letters ? last.charCodeAt(0) : Number(last);
  const by = Math.max(1, Math.abs(Number(step))) * (from <= to ? 1 : -1);
  const width = !letters && /^-?0\d/.test(first + last) ? Math.max(first.length, last.length) : 0;
  const made: string[] = [];
  for (let value = from; by > 0 ? value <= to : value >= to; value += by) {
    made.push(letters ? String.fromCharCode(value) : String(value).padStart(width, '0'));
    if (made.length > MAX_WORDS) break;
  }
  return made;
}
