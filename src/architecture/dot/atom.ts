import type { Atom } from './dot-syntax.ts';

const RESERVED = /^(?:graph|digraph|node|edge|strict|subgraph)$/i;
/** Without what Graphviz also takes for letters: a reader of another make may not. */
const BARE = /^(?:[A-Za-z_][A-Za-z0-9_]*|-?(?:[0-9]+(?:\.[0-9]+)?|\.[0-9]+))$/;

/** Whether a text means itself without quotes. */
export function canBeBare(text: string): boolean {
  return BARE.test(text) && !RESERVED.test(text);
}

/** A text as DOT has it: bare if that is wanted and possible, else in quotes. */
export function writeAtom(text: string, style: 'bare' | 'quoted'): string {
  return style === 'bare' && canBeBare(text) ? text : quoteAtom(text);
}

/**
 * In quotes a backslash stands for itself, but not before a quote, a line's end or the end of the string. There it is
 * joined on in the HTML form, in which it always stands for itself.
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

/** What a node or a subgraph is called: to Graphviz `<a>` is another name than `a`. */
export function nameOf({ form, value }: Atom): string {
  return form === 'html' ? `<${value}>` : value;
}
