import type {
  Attribute,
  Body,
  DotTree,
  EdgeStatement,
  NodeReference,
  NodesStatement,
  Statement,
} from '../dot/dot-syntax.ts';

/** One statement's word on an attribute: the value, and where it stands. */
export interface AttributeOrigin {
  attribute: Attribute;
  statement: Statement;
}

/** By attribute name, the origin that holds. An empty value is the same as none. */
export type Attributes = Map<string, AttributeOrigin>;

/** A place where a node is named. */
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
  /** A statement of its own declares it; an edge alone only names it. */
  declared: boolean;
  /** Named subgraphs that it is in, by their paths. */
  subgraphs: Set<string>;
}

/** A statement that makes an edge, between its ends `link` and `link + 1`. */
export interface EdgePlace {
  statement: EdgeStatement;
  link: number;
  body: Body;
}

export interface ArchitectureEdge {
  from: string;
  to: string;
  attributes: Attributes;
  /** More than one where the graph is strict, or where edges have keys: then several statements speak of one edge. */
  places: EdgePlace[];
}

/** What a text says, and where it says it. */
export interface ArchitectureGraph {
  text: string;
  tree: DotTree;
  nodes: Map<string, ArchitectureNode>;
  edges: ArchitectureEdge[];
}

/** What an attribute says; undefined where there is none or where it is empty. */
export function attributeOf({ attributes }: { attributes: Attributes }, name: string): string | undefined {
  return attributes.get(name)?.attribute.value.value || undefined;
}
