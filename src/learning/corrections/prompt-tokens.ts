import type { PromptLanguage } from './meanings.ts';
import { foldLetters } from './meanings.ts';

/** A piece of a prompt; words are folded. Code, program output and quotes are one token each: they are not the person's words. */
export interface Token {
  kind: 'word' | 'name' | 'number' | 'end' | 'comma' | 'code' | 'output' | 'item' | 'quote';
  text: string;
}

const MAX_TEXT = 6000;
const MAX_TOKENS = 300;

/** Lines that a program wrote: stack traces, log lines, test results, diffs. */
const OUTPUT =
  /^\s{0,20}(?:at \S{1,200} ?\(|\d{4}-\d\d-\d\d[T ]|\[?\d\d:\d\d:\d\d|(?:FAIL|PASS|ERROR|WARN|INFO|DEBUG|FATAL|Traceback|Caused by|npm ERR|error TS|error\[|warning:|E {3}|[✓✗×❯●] |\+\+\+ |--- |@@ |\$ |> |\| ))/;
const ITEM = /^\s{0,6}(?:[-*•]|\d{1,2}[.)])\s/;
const QUOTED = /["“„«]([^"“”„«»\n]{1,400})["”“»]/g;
/** A shorter quote is a name. */
const MIN_QUOTE = 12;
const PIECES =
  /[\uE000-\uE003]|\uE004\S{1,300}|[\p{L}\p{N}\p{M}_@#$%/\\'’.-]+|\p{Extended_Pictographic}|[?!…]+|[,;:()—–]|\n/gu;
const NAME = /[_@#$\\]|\p{Ll}\p{Lu}|\p{L}\.\p{L}|\/[^/]*\/|^\/|\p{L}\p{N}|^\.?[\w-]{1,60}\/[\w-]/u;
const NUMBER = /^[\p{N}.,%$-]+$/u;
/** French words that lose their last letter before a vowel. */
const ELIDED = new Set('l d j n c s t m qu jusqu lorsqu puisqu quelqu aujourd'.split(' '));

export function tokensOf(prompt: string, language: PromptLanguage): Token[] {
  const tokens: Token[] = [];
  for (const [piece] of markShown(prompt).matchAll(PIECES)) {
    if (tokens.length >= MAX_TOKENS) break;
    addPiece(tokens, piece, language);
  }
  return tokens;
}

const MARKS: Readonly<Record<string, Token['kind']>> = {
  '\uE000': 'code',
  '\uE001': 'output',
  '\uE002': 'item',
  '\uE003': 'quote',
};

/** Replaces code, output, list bullets and quotes by a private character each. */
function markShown(prompt: string): string {
  return withoutCode(prompt.slice(0, MAX_TEXT).normalize('NFKC').slice(0, MAX_TEXT))
    .split('\n')
    .map((line) => (OUTPUT.test(line) ? '\uE001' : line.replace(ITEM, '\uE002 ')))
    .join('\n')
    .replace(QUOTED, (_whole, quoted: string) => (quoted.length < MIN_QUOTE ? ` ${quoted} ` : ' \uE003 '))
    .replace(/`([^`\n]{1,200})`/g, (_whole, name: string) => ` \uE004${name.replace(/\s/g, '_')} `);
}

function withoutCode(text: string): string {
  return text
    .split('```')
    .map((part, index) => (index % 2 === 0 ? part : ' \n\uE000\n'))
    .join('');
}

function addPiece(tokens: Token[], piece: string, language: PromptLanguage): void {
  const [first = ''] = piece;
  const mark = MARKS[first];
  if (mark) tokens.push({ kind: mark, text: '' });
  else if (first === '\uE004') tokens.push({ kind: 'name', text: piece.slice(1).toLowerCase() });
  else if (first === '\n') tokens.push({ kind: 'end', text: '.' });
  else if ('?!…'.includes(first)) tokens.push({ kind: 'end', text: piece.includes('?') ? '?' : '!' });
  else if (',;:()—–'.includes(first)) tokens.push({ kind: 'comma', text: ',' });
  else addWords(tokens, piece, language);
}

function addWords(tokens: Token[], piece: string, language: PromptLanguage): void {
  const text = trimMarks(piece);
  if (NUMBER.test(text)) tokens.push({ kind: 'number', text });
  else if (NAME.test(text)) tokens.push({ kind: 'name', text: text.toLowerCase() });
  else for (const part of text.split(/[/.-]/)) addWord(tokens, foldLetters(part), language);
  if (piece.endsWith('.')) tokens.push({ kind: 'end', text: '.' });
}

function addWord(tokens: Token[], folded: string, language: PromptLanguage): void {
  const parts = folded.split(/['’]/);
  const [first = ''] = parts;
  if (language === 'fr' && parts.length > 1 && ELIDED.has(first)) {
    tokens.push({ kind: 'word', text: first });
    parts.shift();
  }
  const text = parts.join('');
  if (text !== '') tokens.push({ kind: 'word', text });
}

/**
 * Removes dots, dashes and quotes at both ends. A loop, since a regular expression for the end would scan every dot in
 * between.
 */
function trimMarks(piece: string): string {
  let from = 0;
  let to = piece.length;
  while (from < to && ".'’\\-".includes(piece.charAt(from))) from += 1;
  while (to > from && ".'’-".includes(piece.charAt(to - 1))) to -= 1;
  return piece.slice(from, to);
}
