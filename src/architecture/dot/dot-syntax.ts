/** Offsets of the first character and of the one after the last. */
export interface Span {
  start: number;
  end: number;
}

/** How a text is written: `a`, `1.5`, `"a"`, `<a>`, or several of the last two joined by `+`. */
export type AtomForm = 'name' | 'number' | 'quoted' | 'html' | 'joined';

/** A text in the file, with its written form and its value. */
export interface Atom extends Span {
  value: string;
  form: AtomForm;
}

export interface Attribute extends Span {
  key: Atom;
  value: Atom;
}

/** `[…]`; several may follow each other. */
export interface AttributeList extends Span {
  attributes: Attribute[];
}

/** A node as named in a statement, with the port that an edge may end at. */
export interface NodeReference extends Span {
  id: Atom;
  port: Atom | undefined;
  compass: Atom | undefined;
}

/** One or more nodes with commas between them. */
export interface NodeGroup extends Span {
  type: 'group';
  nodes: NodeReference[];
}

/** The part between braces, of the graph itself or of a subgraph. */
export interface Body {
  /** Offset of `{`. */
  open: number;
  /** Offset of `}`. */
  close: number;
  statements: Statement[];
}

export interface Subgraph extends Span {
  type: 'subgraph';
  id: Atom | undefined;
  body: Body;
}

export type EdgeEnd = NodeGroup | Subgraph;

interface StatementBase extends Span {
  /** Offset of the `;` that ends it, or -1. Not included in `end`. */
  semicolon: number;
  lists: AttributeList[];
}

/** `key = value`, an attribute of the enclosing graph. */
export interface AssignStatement extends StatementBase {
  type: 'assign';
  key: Atom;
  value: Atom;
}

/** `node […]`, `edge […]` or `graph […]`. */
export interface DefaultsStatement extends StatementBase {
  type: 'defaults';
  of: 'graph' | 'node' | 'edge';
}

export interface NodesStatement extends StatementBase {
  type: 'nodes';
  group: NodeGroup;
}

export interface EdgeStatement extends StatementBase {
  type: 'edge';
  /** Two or more. */
  ends: EdgeEnd[];
}

/** Graphviz reads attribute lists after a subgraph and ignores them. */
export interface SubgraphStatement extends StatementBase {
  type: 'subgraph';
  subgraph: Subgraph;
}

export type Statement =
  | AssignStatement
  | DefaultsStatement
  | NodesStatement
  | EdgeStatement
  | SubgraphStatement;

/** The syntax tree of a file. Together with the text, it loses nothing. */
export interface DotTree {
  strict: boolean;
  directed: boolean;
  id: Atom | undefined;
  body: Body;
}

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
