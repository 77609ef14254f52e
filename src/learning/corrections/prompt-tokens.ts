import { foldLetters } from './fold-letters.ts';
import { type Meanings, meaningsIn, type PromptLanguage, UNSPACED } from './meanings.ts';

export type TokenKind =
  | 'word'
  | 'file'
  | 'name'
  | 'number'
  | 'end'
  | 'comma'
  | 'code'
  | 'printed'
  | 'point'
  | 'quote';

/** A piece of a prompt; words are folded. What is not the person's own words stands as a whole: code, output, quotes. */
export interface Token {
  kind: TokenKind;
  text: string;
  /** Of a piece without spaces around it. */
  meaning?: string | undefined;
  unspaced?: boolean;
  loud?: boolean;
}

const MAX_TEXT = 6000;
const MAX_TOKENS = 300;

/** Lines that a program wrote: stack traces, log lines, results of tests, diffs. */
const PRINTED =
  /^\s{0,20}(?:at \S{1,200} ?\(|\d{4}-\d\d-\d\d[T ]|\[?\d\d:\d\d:\d\d|(?:FAIL|PASS|ERROR|WARN|INFO|DEBUG|FATAL|Traceback|Caused by|npm ERR|error TS|error\[|warning:|E {3}|[✓✗×❯●] |\+\+\+ |--- |@@ |\$ |> |\| ))/;
const POINT = /^\s{0,6}(?:[-*•]|\d{1,2}[.)])\s/;
const QUOTED = /["“„«「『]([^"“”„«»「」『』\n]{1,400})["”“»」』]/g;
/** A quote of this length is somebody's words; a shorter one is a name. */
const QUOTE = 12;
const PIECES =
  /[\uE000-\uE003]|\uE004\S{1,300}|[\p{L}\p{N}\p{M}_@#$%/\\'’.-]+|\p{Extended_Pictographic}|[?!…]+|[,;:()—–、]|[\n。]/gu;
const FILE =
  /^[\w@.~/-]{0,200}\.(?:[cm]?[jt]sx?|py|go|rs|rb|java|kts?|cs|cpp|cc|hpp|[ch]|php|md|json|ya?ml|toml|sql|sh|css|scss|html|vue|svelte|env|lock|txt|xml|tf|proto|swift|dart|ini|cfg|conf|csv|tsv|gradle|exs?|lua|r|ipynb)$/i;
const NUMBER = /^[\p{N}.,%$-]+$/u;
const NAME = /[_@#$\\]|\p{Ll}\p{Lu}|\p{L}\.\p{L}|\/[^/]*\/|^\/|\p{L}\p{N}/u;
/** French and Italian words that lose their last letter before another word. */
const ELIDED = new Set(
  'l d j n c s t m qu un dell all nell dall sull quest com dov cos quell jusqu lorsqu puisqu quelqu aujourd'.split(
    ' ',
  ),
);

export function tokensOf(prompt: string, language: PromptLanguage): Token[] {
  const tokens: Token[] = [];
  for (const [piece] of marked(prompt).matchAll(PIECES)) {
    if (tokens.length >= MAX_TOKENS) break;
    addPiece(tokens, piece, language);
  }
  return tokens;
}

/** The text with a private mark for each thing that is not said but shown. */
function marked(prompt: string): string {
  return withoutCode(prompt.slice(0, MAX_TEXT).normalize('NFKC').slice(0, MAX_TEXT))
    .split('\n')
    .map((line) => (PRINTED.test(line) ? '\uE001' : line.replace(POINT, '\uE002 ')))
    .join('\n')
    .replace(QUOTED, (_whole, quoted: string) => (quoted.length < QUOTE ? ` ${quoted} ` : ' \uE003 '))
    .replace(/`([^`\n]{1,200})`/g, (_whole, name: string) => ` \uE004${name.replace(/\s/g, '_')} `);
}

function withoutCode(text: string): string {
  let result = '';
  let from = 0;
  for (;;) {
    const open = text.indexOf('```', from);
    if (open < 0) return result + text.slice(from);
    result += `${text.slice(from, open)} \n\uE000\n`;
    const close = text.indexOf('```', open + 3);
    if (close < 0) return result;
    from = close + 3;
  }
}

const MARKS: Readonly<Record<string, TokenKind>> = {
  '\uE000': 'code',
  '\uE001': 'printed',
  '\uE002': 'point',
  '\uE003': 'quote',
};

function addPiece(tokens: Token[], piece: string, language: PromptLanguage): void {
  const [first = ''] = piece;
  const mark = MARKS[first];
  if (mark) tokens.push({ kind: mark, text: '' });
  else if (first === '\uE004') {
    const name = piece.slice(1).toLowerCase();
    tokens.push({ kind: FILE.test(name) ? 'file' : 'name', text: name });
  } else if (first === '\n' || first === '。') tokens.push({ kind: 'end', text: '.' });
  else if (first === '?' || first === '!' || first === '…') tokens.push({ kind: 'end', text: endOf(piece) });
  else if (/^[,;:()—–、]/.test(first)) tokens.push({ kind: 'comma', text: ',' });
  else addWords(tokens, piece, language);
}

function endOf(marks: string): string {
  if (marks.includes('?')) return marks.length > 1 ? '?!' : '?';
  if (marks.includes('!')) return marks.length > 1 ? '!!' : '!';
  return '…';
}

function addWords(tokens: Token[], piece: string, language: PromptLanguage): void {
  const begun = piece.replace(/^[.'’\\-]+/, '');
  const [after = ''] = /[.'’-]*$/.exec(begun) ?? [];
  const text = begun.slice(0, begun.length - after.length);
  if (piece.startsWith('...')) tokens.push({ kind: 'end', text: '…' });
  if (text !== '') {
    if (UNSPACED.test(text)) addUnspaced(tokens, text, language);
    else if (FILE.test(text)) tokens.push({ kind: 'file', text: text.toLowerCase() });
    else if (NUMBER.test(text)) tokens.push({ kind: 'number', text });
    else if (NAME.test(text)) tokens.push({ kind: 'name', text: text.toLowerCase() });
    else for (const part of text.split(/[/.-]/)) addWord(tokens, part, language);
  }
  if (after.includes('.')) tokens.push({ kind: 'end', text: after.length > 1 ? '…' : '.' });
}

function addWord(tokens: Token[], written: string, language: PromptLanguage): void {
  let word = foldLetters(written);
  const apostrophe = word.search(/['’]/);
  if (
    apostrophe > 0 &&
    apostrophe < word.length - 1 &&
    (language === 'fr' || language === 'it') &&
    ELIDED.has(word.slice(0, apostrophe))
  ) {
    tokens.push({ kind: 'word', text: word.slice(0, apostrophe) });
    word = word.slice(apostrophe + 1);
  }
  word = word.replace(/['’]/g, '');
  if (word !== '') tokens.push({ kind: 'word', text: word, loud: /^\p{Lu}{4,}$/u.test(written) });
}

/** Where no spaces part the words, the longest piece with a meaning is one; the rest is left together. */
function addUnspaced(tokens: Token[], text: string, language: PromptLanguage): void {
  const meanings = meaningsIn(language === 'ja' ? 'ja' : 'zh');
  let rest = '';
  const addRest = (): void => {
    if (rest !== '') tokens.push({ kind: 'word', text: rest, unspaced: true });
    rest = '';
  };
  for (let at = 0; at < text.length && tokens.length < MAX_TOKENS; ) {
    LATIN.lastIndex = at;
    const [latin] = LATIN.exec(text) ?? [];
    const found = latin ?? longestAt(meanings, text, at);
    if (found === undefined) {
      rest += text[at];
      at += 1;
      continue;
    }
    addRest();
    if (latin === undefined)
      tokens.push({ kind: 'word', text: found, meaning: meanings.pieces.get(found), unspaced: true });
    else tokens.push({ kind: FILE.test(latin) ? 'file' : 'word', text: latin.toLowerCase() });
    at += found.length;
  }
  addRest();
}

const LATIN = /[a-z0-9_/.-]+/iy;

function longestAt({ pieces, longest }: Meanings, text: string, at: number): string | undefined {
  for (let length = Math.min(longest, text.length - at); length > 0; length -= 1) {
    const piece = text.slice(at, at + length);
    if (pieces.has(piece)) return piece;
  }
  return undefined;
}
