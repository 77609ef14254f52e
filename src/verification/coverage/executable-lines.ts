import { languageOf } from './source-language.ts';

/**
 * Beginnings of statements that run nothing, by language. Only at the top of a file: inside code, everything is code.
 */
const DECLARATIONS: ReadonlyMap<string | undefined, RegExp> = new Map([
  [
    'javascript',
    /import\s*["{*]|import\s+\w|export\s*[{*]|(?:export\s+)?(?:type\s+\w|(?:interface|declare)\s+\w)|export\s+type\s*[{*]/y,
  ],
  ['go', /(?:package|import|type|const)\b|var\b(?!.*(?:\bfunc\b|[({]\s*$))/my],
]);
/** These end with their bracket, and something else may follow on the same line. */
const ENDS_WITH_BRACKET = /(?:export\s+)?(?:interface|declare)\b/y;
/** A declaration continues after a line that ends, and before one that starts, with one of these. */
const GOES_ON_AFTER = /(?:[=|&,?:<]|=>|\b(?:extends|keyof|typeof|from|type|interface))$/;
const GOES_ON_BEFORE = /^(?:[=|&?:>]|(?:extends|from)\b)/;
const PUNCTUATION = /^[()[\]{};,]$/;
const HASH_COMMENTED = new Set(['python', 'rb', 'sh']);

/**
 * The lines of a source that may run code, for files missing from the coverage report: without blank lines, comments,
 * lone brackets and declarations. A doubtful line counts.
 */
export function executableLines(path: string, source: string): Set<number> {
  const language = languageOf(path);
  const isHashed = language !== undefined && HASH_COMMENTED.has(language);
  const lines = (isHashed ? blankHashComments(source) : blankComments(source)).map((line) => line.trim());
  const text = lines.join('\n');
  const declaration = DECLARATIONS.get(language);
  const found = new Set<number>();
  let statement: 'none' | 'code' | 'declaration' | 'bracketed declaration' = 'none';
  let depth = 0;
  let number = 1;
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at);
    if (character === '\n') {
      const ends = depth === 0 && !(statement !== 'code' && goesOn(lines[number - 1], lines[number]));
      if (ends) statement = 'none';
      number++;
      continue;
    }
    if (character.trim() === '') continue;
    if (statement === 'none') {
      if (!declaration || !matchesAt(declaration, text, at)) statement = 'code';
      else statement = matchesAt(ENDS_WITH_BRACKET, text, at) ? 'bracketed declaration' : 'declaration';
    }
    if (statement === 'code' && !PUNCTUATION.test(character)) found.add(number);
    if ('{(['.includes(character)) depth++;
    if ('})]'.includes(character)) depth = Math.max(0, depth - 1);
    const isOver = character === ';' || (character === '}' && statement === 'bracketed declaration');
    if (depth === 0 && isOver) statement = 'none';
  }
  return found;
}

function matchesAt(pattern: RegExp, text: string, at: number): boolean {
  pattern.lastIndex = at;
  return pattern.test(text);
}

function goesOn(line = '', next = ''): boolean {
  return GOES_ON_AFTER.test(line) || GOES_ON_BEFORE.test(next);
}

function blankHashComments(source: string): string[] {
  let quote = '';
  return source.split('\n').map((line) => {
    const text = line.trimStart();
    if (quote !== '') {
      if (text.includes(quote)) quote = '';
      return '';
    }
    if (text.startsWith('#')) return '';
    // A string on its own is documentation; one that is used does not start its line.
    const opened = /^[rRuUbB]?("""|''')/.exec(text)?.[1];
    if (opened === undefined) return line;
    const rest = text.slice(text.indexOf(opened) + 3);
    const end = rest.indexOf(opened);
    if (end === -1) quote = opened;
    return end === -1 || rest.slice(end + 3).trim() === '' ? '' : line;
  });
}

/**
 * The lines of a C-family source without comments, strings replaced by `"`. Block comments are recognized only at the
 * start of a line: elsewhere `/*` may be in a regular expression, and code must not vanish.
 */
function blankComments(source: string): string[] {
  let inComment = false;
  let inTemplate = false;
  return source.split('\n').map((line) => {
    let code = '';
    let at = 0;
    while (at < line.length) {
      if (inComment) {
        const end = line.indexOf('*/', at);
        inComment = end === -1;
        at = inComment ? line.length : end + 2;
      } else if (inTemplate) {
        const end = endOfString(line, at, '`');
        inTemplate = end === -1;
        code += '"';
        at = inTemplate ? line.length : end;
      } else if (line.startsWith('/*', at) && code.trim() === '') {
        inComment = true;
        at += 2;
      } else if (line.startsWith('//', at)) {
        break;
      } else {
        const quote = line.charAt(at);
        const isString = quote === '"' || quote === "'" || quote === '`';
        const end = isString ? endOfString(line, at + 1, quote) : at + 1;
        inTemplate = quote === '`' && end === -1;
        code += isString ? '"' : quote;
        // An apostrophe without an end is not a string, but part of a comment, a lifetime or a regular expression.
        at = end === -1 ? (inTemplate ? line.length : at + 1) : end;
      }
    }
    return code;
  });
}

/** The index after the closing quote, or -1 if it is not on this line. */
function endOfString(line: string, start: number, quote: string): number {
  for (let at = start; at < line.length; at++) {
    if (line.charAt(at) === '\\') at++;
    else if (line.charAt(at) === quote) return at + 1;
  }
  return -1;
}
