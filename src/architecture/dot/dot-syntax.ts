/** From the first character of something to the one after its last. */
export interface Span {
  start: number;
  end: number;
}

/** How a text is written: `a`, `1.5`, `"a"`, `<a>`, or several of the last two joined by `+`. */
export type AtomForm = 'name' | 'number' | 'quoted' | 'html' | 'joined';

/** A text of the file, as it is written and as it is meant. */
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

/** A node as a statement names it, with the port that an edge may end at. */
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

/** What stands between braces: of the graph itself, or of a subgraph. */
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
  /** Offset of the `;` that ends it, or -1. It is no part of `end`. */
  semicolon: number;
  lists: AttributeList[];
}

/** `key = value`, which is about the graph around it. */
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

/** A file as it is written. Together with the text it was read from, nothing of it is lost. */
export interface DotTree {
  strict: boolean;
  directed: boolean;
  id: Atom | undefined;
  body: Body;
}
