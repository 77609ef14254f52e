import type { Atom } from './dot-syntax.ts';

const RESERVED = /^(?:graph|digraph|node|edge|strict|subgraph)$/i;
/** ASCII only: Graphviz accepts other letters in bare names, but other parsers may not. */
const BARE = /^(?:[A-Za-z_][A-Za-z0-9_]*|-?(?:[0-9]+(?:\.[0-9]+)?|\.[0-9]+))$/;

/** Whether a text can be written without quotes. */
export function canBeBare(text: string): boolean {
  return BARE.test(text) && !RESERVED.test(text);
}

/** Writes a text in DOT: bare if requested and possible, otherwise quoted. */
export function writeAtom(text: string, style: 'bare' | 'quoted'): string {
  return style === 'bare' && canBeBare(text) ? text : quoteAtom(text);
}

/**
 * A backslash in quotes is literal, except before a quote, a line end or the end of the string. There it is appended in
 * the HTML form, in which it is always literal.
 */
function quoteAtom(text: string): string {
  let quoted = '"';
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at);
    if (character === '"') quoted += '\\"';
    else if (character !== '\\') quoted += character;
    else if (text[at + 1] === '\\') {
      quoted += '\\\\';
      at++;
    } else if (at + 1 === text.length || text[at + 1] === '"' || text[at + 1] === '\n') {
      quoted += '" + <\\> + "';
    } else quoted += '\\';
  }
  return `${quoted}"`;
}

/** The name of a node or subgraph. Graphviz treats `<a>` and `a` as different names. */
export function nameOf({ form, value }: Atom): string {
  return form === 'html' ? `<${value}>` : value;
}
