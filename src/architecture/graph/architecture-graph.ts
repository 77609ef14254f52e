import type {
  Attribute,
  Body,
  DotTree,
  EdgeStatement,
  NodeReference,
  NodesStatement,
  Statement,
} from '../dot/dot-syntax.ts';

/** An attribute and the statement that sets it. */
export interface AttributeOrigin {
  attribute: Attribute;
  statement: Statement;
}

/** By attribute name, the origin in effect. An empty value counts as none. */
export type Attributes = Map<string, AttributeOrigin>;

/** A mention of a node in the file. */
export interface NodeMention {
  reference: NodeReference;
  statement: NodesStatement | EdgeStatement;
  body: Body;
}

export interface ArchitectureNode {
  id: string;
  attributes: Attributes;
  /** In the order of the file; at least one. */
  mentions: NodeMention[];
  /** Whether a node statement declares it; an edge only names it. */
  declared: boolean;
  /** Paths of the named subgraphs that contain it. */
  subgraphs: Set<string>;
}

/** A statement that produces an edge, between its ends `link` and `link + 1`. */
export interface EdgePlace {
  statement: EdgeStatement;
  link: number;
  body: Body;
}

export interface ArchitectureEdge {
  from: string;
  to: string;
  attributes: Attributes;
  /** Several in a strict graph, or with edge keys, where several statements describe one edge. */
  places: EdgePlace[];
}

/** The nodes and edges of a text, with their positions. */
export interface ArchitectureGraph {
  text: string;
  tree: DotTree;
  nodes: Map<string, ArchitectureNode>;
  edges: ArchitectureEdge[];
}

/** The value of an attribute; undefined if missing or empty. */
export function attributeOf({ attributes }: { attributes: Attributes }, name: string): string | undefined {
  return attributes.get(name)?.attribute.value.value || undefined;
}
