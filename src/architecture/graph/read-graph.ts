import { DotFault, LineIndex } from '../dot/dot-fault.ts';
import {
  type Body,
  type DefaultsStatement,
  type DotTree,
  type EdgeEnd,
  type EdgeStatement,
  type NodeReference,
  type NodesStatement,
  nameOf,
  type Statement,
  type Subgraph,
} from '../dot/dot-syntax.ts';
import { type DotRefusal, readDot } from '../dot/read-dot.ts';
import type {
  ArchitectureEdge,
  ArchitectureGraph,
  ArchitectureNode,
  Attributes,
} from './architecture-graph.ts';

export type GraphResult = { ok: true; graph: ArchitectureGraph } | { ok: false; fault: DotRefusal };

/** Reads the graph of a text, or returns why it cannot be read. */
export function readGraph(text: string): GraphResult {
  const read = readDot(text);
  if (!read.ok) return read;
  try {
    return { ok: true, graph: buildGraph(text, read.tree) };
  } catch (error) {
    if (!(error instanceof DotFault)) throw error;
    const place = new LineIndex(text).placeOf(error.offset);
    return { ok: false, fault: { code: error.code, message: error.message, ...place } };
  }
}

/**
 * Limit of places, attributes and edges together. `{a b c} -> {d e f} [k=1]` is nine edges with an attribute each, so a
 * short text can expand beyond any memory.
 */
const MAX_GRAPH_SIZE = 1_000_000;
/** The weight of an edge; an attribute weighs 1. */
const EDGE_WEIGHT = 8;

/** Interprets a tree by Graphviz's rules, including defaults, subgraphs and repeated statements. */
function buildGraph(text: string, tree: DotTree): ArchitectureGraph {
  const builder = new GraphBuilder(tree);
  builder.body(tree.body, new GraphScope(undefined, ''));
  return { text, tree, nodes: builder.nodes, edges: builder.edges };
}

/** The nodes at one end of an edge. For a subgraph, its live set: a later end of the same edge may still add to it. */
type Ends = Iterable<ArchitectureNode> & { size: number };
const NOBODY: Ends = new Set();
/** Shared, since most nodes are not in a named subgraph. */
const NOWHERE = new Set<string>();

class GraphBuilder {
  readonly nodes = new Map<string, ArchitectureNode>();
  readonly edges: ArchitectureEdge[] = [];
  readonly #strict: boolean;
  readonly #directed: boolean;
  /** Only edges that a later statement may repeat. */
  readonly #known = new Map<string, ArchitectureEdge>();
  #size = 0;

  constructor({ strict, directed }: DotTree) {
    this.#strict = strict;
    this.#directed = directed;
  }

  body(body: Body, scope: GraphScope): void {
    for (const statement of body.statements) {
      switch (statement.type) {
        case 'assign':
          break;
        case 'defaults':
          scope.setDefaults(statement);
          break;
        case 'nodes':
          this.#declare(statement, body, scope);
          break;
        case 'edge':
          this.#connect(statement, body, scope);
          break;
        case 'subgraph':
          this.#subgraph(statement.subgraph, scope);
          break;
      }
    }
  }

  #declare(statement: NodesStatement, body: Body, scope: GraphScope): void {
    for (const reference of statement.group.nodes) {
      const node = this.#mention(reference, statement, body, scope);
      node.declared = true;
      this.#grow(assignAttributes(node.attributes, statement), statement.start);
    }
  }

  #connect(statement: EdgeStatement, body: Body, scope: GraphScope): void {
    const ends = statement.ends.map((end) => this.#nodesOf(end, statement, body, scope));
    const key = this.#keyOf(statement);
    for (let link = 0; link + 1 < ends.length; link++) {
      const targets = ends[link + 1] ?? NOBODY;
      if (targets.size === 0) continue;
      for (const from of ends[link] ?? NOBODY) {
        for (const to of targets) {
          const edge = this.#edge(from.id, to.id, key, scope, statement);
          edge.places.push({ statement, link, body });
          this.#grow(EDGE_WEIGHT + assignAttributes(edge.attributes, statement), statement.start);
        }
      }
    }
  }

  #nodesOf(end: EdgeEnd, statement: EdgeStatement, body: Body, scope: GraphScope): Ends {
    if (end.type === 'subgraph') return this.#subgraph(end, scope).members;
    const nodes = end.nodes.map((reference) => this.#mention(reference, statement, body, scope));
    return { size: nodes.length, [Symbol.iterator]: () => nodes[Symbol.iterator]() };
  }

  #subgraph({ id, body }: Subgraph, scope: GraphScope): GraphScope {
    const inner = scope.child(id && nameOf(id));
    this.body(body, inner);
    return inner;
  }

  #mention(
    reference: NodeReference,
    statement: NodesStatement | EdgeStatement,
    body: Body,
    scope: GraphScope,
  ): ArchitectureNode {
    const id = nameOf(reference.id);
    let node = this.nodes.get(id);
    if (node && isHtml(node.mentions[0]?.reference) !== isHtml(reference)) {
      const message = `${id.slice(0, 60)} is used both as HTML text and as a string; these would be two nodes with the same name`;
      throw new DotFault('dot.html-id', message, reference.start);
    }
    if (!node) {
      const attributes = scope.defaults('node');
      node = { id, attributes, mentions: [], declared: false, subgraphs: NOWHERE };
      this.nodes.set(id, node);
      this.#grow(attributes.size, reference.start);
    }
    node.mentions.push({ reference, statement, body });
    for (let at: GraphScope | undefined = scope; at?.parent && !at.members.has(node); at = at.parent) {
      at.members.add(node);
      if (at.path !== undefined) {
        if (node.subgraphs === NOWHERE) node.subgraphs = new Set();
        node.subgraphs.add(at.path);
      }
      this.#grow(1, reference.start);
    }
    return node;
  }

  #keyOf({ lists }: EdgeStatement): string | undefined {
    // A strict graph has one edge between two nodes, regardless of keys.
    if (this.#strict) return '';
    for (const list of lists.toReversed()) {
      const found = list.attributes.findLast(({ key }) => key.value === 'key');
      if (found) return `=${nameOf(found.value)}`;
    }
    return undefined;
  }

  #edge(
    from: string,
    to: string,
    key: string | undefined,
    scope: GraphScope,
    { start }: EdgeStatement,
  ): ArchitectureEdge {
    const name = key === undefined ? undefined : JSON.stringify([...this.#pair(from, to), key]);
    const known = name === undefined ? undefined : this.#known.get(name);
    if (known) return known;
    const edge: ArchitectureEdge = { from, to, attributes: scope.defaults('edge'), places: [] };
    this.edges.push(edge);
    this.#grow(edge.attributes.size, start);
    if (name !== undefined) this.#known.set(name, edge);
    return edge;
  }

  #pair(from: string, to: string): [string, string] {
    return this.#directed || from < to ? [from, to] : [to, from];
  }

  #grow(count: number, offset: number): void {
    this.#size += count;
    if (this.#size <= MAX_GRAPH_SIZE) return;
    throw new DotFault(
      'dot.too-large',
      `the graph expands to more than ${MAX_GRAPH_SIZE} attributes and edges`,
      offset,
    );
  }
}

function isHtml(reference: NodeReference | undefined): boolean {
  return reference?.id.form === 'html';
}

/** The graph or a subgraph while it is read: its nodes, and the default attributes of new nodes and edges. */
class GraphScope {
  readonly parent: GraphScope | undefined;
  /** Names of the enclosing subgraphs and its own, `%` for unnamed ones; undefined if it is unnamed itself. */
  readonly path: string | undefined;
  readonly members = new Set<ArchitectureNode>();
  readonly #children = new Map<string, GraphScope>();
  readonly #defaults = { node: new Map() as Attributes, edge: new Map() as Attributes };

  constructor(parent: GraphScope | undefined, path: string | undefined) {
    this.parent = parent;
    this.path = path;
  }

  /** A named subgraph that is opened again is the same scope. */
  child(id: string | undefined): GraphScope {
    if (id === undefined) return new GraphScope(this, undefined);
    const known = this.#children.get(id);
    if (known) return known;
    const path = this.parent === undefined ? id : `${this.path ?? '%'}/${id}`;
    const made = new GraphScope(this, path);
    this.#children.set(id, made);
    return made;
  }

  setDefaults(statement: DefaultsStatement): void {
    if (statement.of !== 'graph') assignAttributes(this.#defaults[statement.of], statement);
  }

  /** The defaults of a new node or edge here: the innermost scope wins. */
  defaults(of: 'node' | 'edge'): Attributes {
    const inherited = this.parent ? this.parent.defaults(of) : new Map();
    for (const [name, origin] of this.#defaults[of]) inherited.set(name, origin);
    return inherited;
  }
}

/** Later attributes replace earlier ones. Returns the number of attributes. */
function assignAttributes(attributes: Attributes, statement: Statement): number {
  let count = 0;
  for (const list of statement.lists) {
    for (const attribute of list.attributes) attributes.set(attribute.key.value, { attribute, statement });
    count += list.attributes.length;
  }
  return count;
}
