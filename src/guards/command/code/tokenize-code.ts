import { decodeEscapes } from '../decode-text.ts';
import { HOLE } from '../words/field.ts';

export type Language = 'python' | 'javascript' | 'ruby' | 'perl' | 'php' | 'lua' | 'other';

/** `command` is a string that the language itself passes to a shell. */
export type CodeToken =
  | { readonly type: 'string' | 'command' | 'name'; readonly text: string }
  | { readonly type: 'mark'; readonly text: string };

const MAX_TOKENS = 20_000;
const HASH_COMMENTS: readonly Language[] = ['python', 'ruby', 'perl', 'php', 'other'];
const SLASH_COMMENTS: readonly Language[] = ['javascript', 'php'];
const PAIRS: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}', '<': '>' };
const NAME = /[A-Za-z_$@%][\w$]*/y;
/** Tokens after which a slash starts a regular expression. */
const BEFORE_PATTERN = new Set(['', '(', ',', '=', ':', '[', '!', '&', '|', '?', '{', '}', ';', '\n', '~']);

/** Splits code into strings, names and marks. Interpolated parts of strings become HOLE. */
export function tokenizeCode(code: string, language: Language): CodeToken[] {
  const tokens: CodeToken[] = [];
  let at = 0;
  while (at < code.length && tokens.length < MAX_TOKENS) {
    const char = code[at] ?? '';
    const next = code[at + 1];
    if (char === ' ' || char === '\t' || char === '\r') at += 1;
    else if (isComment(char, next, language)) at = lineEnd(code, at);
    else if (char === '/' && next === '*' && SLASH_COMMENTS.includes(language)) {
      const end = code.indexOf('*/', at + 2);
      at = end === -1 ? code.length : end + 2;
    } else if (char === '"' || char === "'" || char === '`') {
      const { text, end } = readString(code, at, language, tokens.at(-1));
      const shell = char === '`' && (language === 'perl' || language === 'ruby' || language === 'php');
      tokens.push({ type: shell ? 'command' : 'string', text });
      at = end;
    } else if (char === '/' && isPatternStart(tokens.at(-1), language)) at = patternEnd(code, at);
    else {
      NAME.lastIndex = at;
      const name = NAME.exec(code)?.[0];
      if (name === undefined) {
        tokens.push({ type: 'mark', text: char });
        at += 1;
      } else {
        at += name.length;
        const quoted = quotedByName(code, at, name, language);
        if (quoted === undefined) tokens.push({ type: 'name', text: name });
        else {
          tokens.push(quoted.token);
          at = quoted.end;
        }
      }
    }
  }
  return tokens;
}

function isComment(char: string, next: string | undefined, language: Language): boolean {
  if (char === '#') return HASH_COMMENTS.includes(language);
  if (char === '/' && next === '/') return SLASH_COMMENTS.includes(language);
  return char === '-' && next === '-' && language === 'lua';
}

function lineEnd(code: string, at: number): number {
  const end = code.indexOf('\n', at);
  return end === -1 ? code.length : end;
}

function isPatternStart(before: CodeToken | undefined, language: Language): boolean {
  if (language !== 'javascript' && language !== 'ruby' && language !== 'perl') return false;
  return before === undefined || (before.type === 'mark' && BEFORE_PATTERN.has(before.text));
}

/** The offset after a regular expression on one line; without a closing slash it is a division. */
function patternEnd(code: string, at: number): number {
  let inSet = false;
  for (let end = at + 1; end < code.length && code[end] !== '\n'; end += 1) {
    const char = code[end];
    if (char === '\\') end += 1;
    else if (char === '[') inSet = true;
    else if (char === ']') inSet = false;
    else if (char === '/' && !inSet) return end + 1;
  }
  return at + 1;
}

function readString(code: string, at: number, language: Language, before: CodeToken | undefined) {
  const quote = code[at] ?? '';
  const prefix = before?.type === 'name' ? before.text.toLowerCase() : '';
  const raw = language === 'python' && /^(?:r|br|rb|fr|rf)$/.test(prefix);
  const triple = language === 'python' && code.startsWith(quote.repeat(3), at) ? quote.repeat(3) : quote;
  const start = at + triple.length;
  let end = start;
  while (end < code.length && !code.startsWith(triple, end)) end += code[end] === '\\' ? 2 : 1;
  const inner = code.slice(start, end);
  const interpolated = interpolates(quote, prefix, language);
  const plain =
    raw || (quote === "'" && language !== 'python' && language !== 'javascript')
      ? inner
      : decodeEscapes(inner);
  return {
    text: (interpolated ? withHoles(plain) : plain).replaceAll('\0\0', HOLE),
    end: Math.min(code.length, end + triple.length),
  };
}

function interpolates(quote: string, prefix: string, language: Language): boolean {
  if (language === 'python') return /^(?:f|fr|rf)$/.test(prefix);
  if (language === 'javascript') return quote === '`';
  return quote !== "'" && language !== 'lua';
}

/** Replaces `${…}`, `#{…}` and `{…}` with holes. */
function withHoles(text: string): string {
  return text.replace(/[$#]?\{[^{}]{0,500}\}/g, HOLE);
}

/** q(…), qq{…}, %q[…], %w(…), qx(…): quoting by name. */
function quotedByName(code: string, at: number, name: string, language: Language) {
  if (language !== 'perl' && language !== 'ruby') return undefined;
  if (!/^(?:q|qq|qw|qx|%q|%Q|%w|%x)$/.test(name)) return undefined;
  const open = code[at] ?? '';
  if (!/[([{<|!/,~#]/.test(open)) return undefined;
  const end = code.indexOf(PAIRS[open] ?? open, at + 1);
  if (end === -1) return undefined;
  const text = withHoles(code.slice(at + 1, end));
  const token: CodeToken = { type: name.endsWith('x') ? 'command' : 'string', text };
  return { token, end: end + 1 };
}
