import { forEachChild, type ParsedScript, parse, type SyntaxNode, type Word, type WordPart } from 'unbash';
import type { Scope } from '../shell/scope.ts';
import { expandParameter, type ParameterContext, parameterFields } from './expand-parameter.ts';
import { boundedText, type Field, HOLE, UNKNOWN_FIELD } from './field.ts';

export interface WordContext {
  readonly scope: Scope;
  /** Runs `$(…)` and returns its output. */
  substitute(script: ParsedScript): string;
  /** Runs `<(…)` or `>(…)` and returns the path of its pipe. */
  process(script: ParsedScript, operator: '<' | '>'): string;
  step(): void;
  choose(name: string): string;
}

/** The fields that a shell expands a word to. */
export function expandWord(word: Word, context: WordContext): Field[] {
  context.step();
  if (word.parts === undefined) return [{ text: withHome(word, context), glob: false }];
  if (word.parts.some(({ type }) => type === 'BraceExpansion')) return bracedFields(word, context);
  return splitFields(piecesOf(word, context), context.scope.values('IFS')[0] ?? ' \t\n');
}

/** The text of a word that a shell does not split: in assignments, here-strings, case words. */
export function expandText(word: Word, context: WordContext): string {
  context.step();
  if (word.parts === undefined) return withHome(word, context);
  let text = '';
  for (const piece of piecesOf(word, context)) text += piece.type === 'break' ? ' ' : piece.text;
  return boundedText(text);
}

/** The text of a here-document's body, or of another list of parts. */
export function expandParts(parts: readonly WordPart[], context: WordContext): string {
  let text = '';
  for (const part of parts) {
    context.step();
    for (const piece of partPieces(part, true, context)) text += piece.type === 'break' ? ' ' : piece.text;
  }
  return boundedText(text);
}

function bracedFields(word: Word, context: WordContext): Field[] {
  const sources = expandBraces(word.text);
  if (sources === undefined) return [UNKNOWN_FIELD];
  if (sources.length === 1 && sources[0] === word.text)
    return splitFields(piecesOf(word, context), context.scope.values('IFS')[0] ?? ' \t\n');
  return sources.flatMap((source) => {
    context.step();
    const command = parse(`: ${source}`).commands[0]?.command;
    const inner = command?.type === 'Command' ? command.suffix[0] : undefined;
    // Brace expansion comes first and is textual, so each resulting word is parsed again.
    if (inner?.type === 'Word')
      return inner.parts === undefined
        ? [{ text: withHome(inner, context), glob: false }]
        : splitFields(piecesOf(inner, context), context.scope.values('IFS')[0] ?? ' \t\n');
    return [{ text: source, glob: false }];
  });
}

function piecesOf(word: Word, context: WordContext): Piece[] {
  const pieces = (word.parts ?? []).flatMap((part) => {
    context.step();
    return partPieces(part, false, context);
  });
  const first = pieces[0];
  if (word.text.startsWith('~') && first?.type === 'plain') {
    const whole = pieces.length === 1 || first.text.includes('/');
    if (whole) pieces[0] = { type: 'plain', text: homeOf(first.text, context.scope) };
  }
  return pieces;
}

function withHome(word: Word, { scope }: WordContext): string {
  return word.text.startsWith('~') ? homeOf(word.value, scope) : word.value;
}

function homeOf(text: string, scope: Scope): string {
  const slash = text.indexOf('/');
  const user = slash === -1 ? text.slice(1) : text.slice(1, slash);
  const rest = slash === -1 ? '' : text.slice(slash);
  if (user === '') return (scope.values('HOME')[0] ?? HOLE) + rest;
  if (user === '+') return scope.cwd + rest;
  if (user === '-') return scope.before + rest;
  if (user === 'root') return `/root${rest}`;
  return `/home/${user}${rest}`;
}

function partPieces(part: WordPart, quoted: boolean, context: WordContext): Piece[] {
  const one = (text: string): Piece[] => [{ type: quoted ? 'quoted' : 'split', text }];
  switch (part.type) {
    case 'Literal':
      return [{ type: quoted ? 'quoted' : 'plain', text: part.value }];
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      return [{ type: 'quoted', text: part.value.replaceAll(HOLE, '') }];
    case 'DoubleQuoted':
    case 'LocaleString': {
      const inner = part.parts.flatMap((child) => {
        context.step();
        return partPieces(child, true, context);
      });
      return inner.length === 0 ? [{ type: 'quoted', text: '' }] : inner;
    }
    case 'Glob':
      return [{ type: 'glob', text: part.value }];
    case 'ExtendedGlob':
      return [{ type: 'glob', text: '*' }];
    case 'BraceExpansion':
      return [{ type: 'plain', text: part.text }];
    case 'SimpleExpansion':
      return separated(parameterFields(part.text.slice(1), parameterContext(context)), quoted, context);
    case 'ParameterExpansion':
      return separated(expandParameter(part, parameterContext(context)), quoted, context);
    case 'CommandExpansion':
      return one(part.script === undefined ? HOLE : context.substitute(part.script).replace(/\n+$/, ''));
    case 'ProcessSubstitution':
      return one(part.script === undefined ? HOLE : context.process(part.script, part.operator));
    case 'ArithmeticExpansion':
      runInside(part, context);
      return one(/^\$\(\(\s*\d+\s*\)\)$/.test(part.text) ? part.text.slice(3, -2).trim() : HOLE);
  }
}

function separated(values: readonly string[], quoted: boolean, context: WordContext): Piece[] {
  return values.flatMap((text, index): Piece[] => {
    // An array can contain itself repeatedly.
    if (index > 0) context.step();
    const piece: Piece = { type: quoted ? 'quoted' : 'split', text };
    return index === 0 ? [piece] : [{ type: 'break' }, piece];
  });
}

function parameterContext(context: WordContext): ParameterContext {
  return {
    scope: context.scope,
    text: (word) => expandText(word, context),
    choose: (name) => context.choose(name),
  };
}

/** Runs the substitutions in an expression whose value does not matter. */
export function runInside(node: SyntaxNode, context: WordContext): void {
  forEachChild(node, (child) => {
    context.step();
    if (child.type === 'Script') context.substitute(child);
    else runInside(child, context);
  });
}

/** A piece of a word: `split` is the result of an unquoted expansion, `break` ends a field as in `"$@"`. */
type Piece =
  | { readonly type: 'plain' | 'split' | 'glob'; readonly text: string }
  | { readonly type: 'quoted'; readonly text: string }
  | { readonly type: 'break' };

const MAX_FIELDS = 1000;

/** Joins the pieces of a word, and splits fields as a shell does. */
function splitFields(pieces: readonly Piece[], separators: string): Field[] {
  const fields: Field[] = [];
  let text = '';
  let glob = false;
  let started = false;
  const end = () => {
    if (started && fields.length < MAX_FIELDS) fields.push({ text: boundedText(text), glob });
    text = '';
    glob = false;
    started = false;
  };
  for (const piece of pieces) {
    if (piece.type === 'break') end();
    else if (piece.type !== 'split') {
      text += piece.text;
      glob ||= piece.type === 'glob';
      started ||= piece.type === 'quoted' || piece.text !== '';
    } else {
      let from = 0;
      for (let at = 0; at <= piece.text.length; at += 1) {
        const char = piece.text[at];
        if (char !== undefined && !separators.includes(char)) {
          glob ||= char === '*' || char === '?' || char === '[';
          continue;
        }
        text += piece.text.slice(from, at);
        started ||= at > from;
        from = at + 1;
        if (char !== undefined) end();
      }
    }
  }
  end();
  return fields;
}

const MAX_WORDS = 256;
const MAX_DEPTH = 16;

/**
 * The words that a word's source text brace-expands to, with quotes and expansions unchanged; undefined if there are too
 * many.
 */
function expandBraces(source: string, depth = 0): string[] | undefined {
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

/** The offset after a character, quoted string or escape. */
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
