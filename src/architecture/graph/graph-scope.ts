import type { DefaultsStatement, Statement } from '../dot/dot-syntax.ts';
import type { ArchitectureNode, Attributes } from './architecture-graph.ts';

/** The graph or a subgraph while it is read: its nodes, and the attributes that new nodes and edges begin with. */
export class GraphScope {
  readonly parent: GraphScope | undefined;
  /** Names from the graph down, `%` for those without; undefined if it has none itself. */
  readonly path: string | undefined;
  readonly members = new Set<ArchitectureNode>();
  readonly #children = new Map<string, GraphScope>();
  readonly #defaults = { node: new Map() as Attributes, edge: new Map() as Attributes };

  constructor(parent: GraphScope | undefined, path: string | undefined) {
    this.parent = parent;
    this.path = path;
  }

  /** A subgraph that is opened again under its name is the same one. */
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

  /** What a new node or edge begins with here: the nearest word counts. */
  defaults(of: 'node' | 'edge'): Attributes {
    const inherited = this.parent ? this.parent.defaults(of) : new Map();
    for (const [name, origin] of this.#defaults[of]) inherited.set(name, origin);
    return inherited;
  }
}

/** Later words replace earlier ones. Gives how many words there were. */
export function assignAttributes(attributes: Attributes, statement: Statement): number {
  let count = 0;
  for (const list of statement.lists) {
    for (const attribute of list.attributes) attributes.set(attribute.key.value, { attribute, statement });
    count += list.attributes.length;
  }
  return count;
}
