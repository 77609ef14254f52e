import { DotFault } from './dot-fault.ts';
import { DotScanner, TOKEN } from './dot-scanner.ts';
import type {
  Atom,
  AtomForm,
  Attribute,
  AttributeList,
  Body,
  DefaultsStatement,
  DotTree,
  EdgeEnd,
  NodeGroup,
  NodeReference,
  Statement,
  Subgraph,
} from './dot-syntax.ts';

/** Deeper than real graphs nest, and far from exhausting the call stack. */
export const MAX_DOT_DEPTH = 100;
/** Statements and texts together; limits the memory that a small hostile file can use. */
export const MAX_DOT_PARTS = 400_000;

const FORMS = new Map<number, AtomForm>([
  [TOKEN.name, 'name'],
  [TOKEN.number, 'number'],
  [TOKEN.quoted, 'quoted'],
  [TOKEN.html, 'html'],
]);

const NO_LISTS: AttributeList[] = [];

const AFTER_END = 'text after the end of the graph; a file must contain exactly one graph';

/** Recursive descent over Graphviz's grammar; only subgraphs recurse. */
export class DotParser {
  readonly #scanner: DotScanner;
  #depth = 0;
  #parts = 0;
  /** End offset of the last token that was consumed. */
  #taken = 0;

  constructor(text: string) {
    this.#scanner = new DotScanner(text);
    this.#scanner.next();
  }

  graph(): DotTree {
    const scanner = this.#scanner;
    if (scanner.kind === TOKEN.end) throw new DotFault('dot.empty', 'the file contains no graph', 0);
    const strict = this.#skip(TOKEN.strictWord);
    const directed = scanner.kind === TOKEN.digraphWord;
    if (!directed && scanner.kind !== TOKEN.graphWord) throw this.#expected('digraph or graph');
    scanner.directed = directed;
    this.#take();
    const id = this.#isAtom() ? this.#atom() : undefined;
    const body = this.#body();
    return { strict, directed, id, body };
  }

  #body(): Body {
    const scanner = this.#scanner;
    const open = scanner.start;
    if (!this.#skip(TOKEN.openBody)) throw this.#expected('{');
    if (++this.#depth > MAX_DOT_DEPTH) {
      throw new DotFault('dot.too-deep', `subgraphs are nested more than ${MAX_DOT_DEPTH} levels deep`, open);
    }
    const statements: Statement[] = [];
    while (scanner.kind !== TOKEN.closeBody) statements.push(this.#statement());
    const close = scanner.start;
    if (--this.#depth === 0) this.#takeLast();
    else this.#take();
    return { open, close, statements };
  }

  #statement(): Statement {
    this.#count();
    const { kind } = this.#scanner;
    if (kind === TOKEN.graphWord) return this.#defaults('graph');
    if (kind === TOKEN.nodeWord) return this.#defaults('node');
    if (kind === TOKEN.edgeWord) return this.#defaults('edge');
    if (kind === TOKEN.subgraphWord || kind === TOKEN.openBody) return this.#compound(this.#subgraph());
    if (!this.#isAtom()) throw this.#expected('a node, an edge, an attribute, a subgraph or }');
    const first = this.#atom();
    if (!this.#skip(TOKEN.equals)) return this.#compound(this.#group(first));
    const value = this.#needAtom('a value');
    const { start } = first;
    const { end } = value;
    return { type: 'assign', start, end, semicolon: this.#semicolon(), lists: NO_LISTS, key: first, value };
  }

  #defaults(of: DefaultsStatement['of']): DefaultsStatement {
    const { start } = this.#scanner;
    this.#take();
    // The grammar allows `node name = […]`; Graphviz ignores the name.
    if (this.#isAtom()) {
      this.#atom();
      if (!this.#skip(TOKEN.equals)) throw this.#expected('= or [');
    }
    if (this.#scanner.kind !== TOKEN.openList) throw this.#expected('[');
    const lists = this.#lists();
    return { type: 'defaults', start, end: this.#taken, semicolon: this.#semicolon(), lists, of };
  }

  /** A node, a subgraph, or an edge that starts with one of them. */
  #compound(first: EdgeEnd): Statement {
    const { start } = first;
    const ends: EdgeEnd[] = [first];
    while (this.#skip(TOKEN.edge)) {
      const { kind } = this.#scanner;
      const isSubgraph = kind === TOKEN.subgraphWord || kind === TOKEN.openBody;
      ends.push(isSubgraph ? this.#subgraph() : this.#group(this.#needAtom('a node or a subgraph')));
    }
    const lists = this.#lists();
    const end = this.#taken;
    const semicolon = this.#semicolon();
    if (ends.length > 1) return { type: 'edge', start, end, semicolon, lists, ends };
    return first.type === 'group'
      ? { type: 'nodes', start, end, semicolon, lists, group: first }
      : { type: 'subgraph', start, end, semicolon, lists, subgraph: first };
  }

  #group(first: Atom): NodeGroup {
    const nodes = [this.#reference(first)];
    while (this.#skip(TOKEN.comma)) nodes.push(this.#reference(this.#needAtom('a node')));
    return { type: 'group', start: first.start, end: this.#taken, nodes };
  }

  #reference(id: Atom): NodeReference {
    const port = this.#skip(TOKEN.colon) ? this.#needAtom('a port') : undefined;
    const compass = port && this.#skip(TOKEN.colon) ? this.#needAtom('a compass point') : undefined;
    return { start: id.start, end: this.#taken, id, port, compass };
  }

  #subgraph(): Subgraph {
    const { start } = this.#scanner;
    const id = this.#skip(TOKEN.subgraphWord) && this.#isAtom() ? this.#atom() : undefined;
    const body = this.#body();
    return { type: 'subgraph', start, end: this.#taken, id, body };
  }

  #lists(): AttributeList[] {
    if (this.#scanner.kind !== TOKEN.openList) return NO_LISTS;
    const scanner = this.#scanner;
    const lists: AttributeList[] = [];
    for (let start = scanner.start; this.#skip(TOKEN.openList); start = scanner.start) {
      const attributes: Attribute[] = [];
      while (scanner.kind !== TOKEN.closeList) {
        const key = this.#needAtom('an attribute or ]');
        if (!this.#skip(TOKEN.equals)) throw this.#expected('= after an attribute');
        const value = this.#needAtom('a value of the attribute');
        attributes.push({ start: key.start, end: value.end, key, value });
        if (!this.#skip(TOKEN.comma)) this.#skip(TOKEN.semicolon);
      }
      this.#take();
      lists.push({ start, end: this.#taken, attributes });
    }
    return lists;
  }

  #isAtom(): boolean {
    const { kind } = this.#scanner;
    return kind >= TOKEN.name && kind <= TOKEN.html;
  }

  #needAtom(what: string): Atom {
    if (!this.#isAtom()) throw this.#expected(what);
    return this.#atom();
  }

  #atom(): Atom {
    this.#count();
    const scanner = this.#scanner;
    const { start, end, value } = scanner;
    const form = FORMS.get(scanner.kind) ?? 'name';
    this.#take();
    return scanner.kind === TOKEN.plus && (form === 'quoted' || form === 'html')
      ? this.#joined(start, value)
      : { start, end, value, form };
  }

  #joined(start: number, first: string): Atom {
    const scanner = this.#scanner;
    const parts = [first];
    while (this.#skip(TOKEN.plus)) {
      if (scanner.kind !== TOKEN.quoted && scanner.kind !== TOKEN.html) {
        throw this.#expected('a string in quotes after +');
      }
      this.#count();
      parts.push(scanner.value);
      this.#take();
    }
    return { start, end: this.#taken, value: parts.join(''), form: 'joined' };
  }

  #semicolon(): number {
    const { start } = this.#scanner;
    return this.#skip(TOKEN.semicolon) ? start : -1;
  }

  #take(): void {
    this.#taken = this.#scanner.end;
    this.#scanner.next();
  }

  /** Graphviz would read the next graph of a stream. Here a second graph is an error, so that no text is dropped. */
  #takeLast(): void {
    const scanner = this.#scanner;
    try {
      this.#take();
    } catch (error) {
      if (error instanceof DotFault) throw new DotFault('dot.after-end', AFTER_END, error.offset);
      throw error;
    }
    if (scanner.kind !== TOKEN.end) throw new DotFault('dot.after-end', AFTER_END, scanner.start);
  }

  #skip(kind: number): boolean {
    if (this.#scanner.kind !== kind) return false;
    this.#take();
    return true;
  }

  #count(): void {
    if (++this.#parts <= MAX_DOT_PARTS) return;
    const message = `more than ${MAX_DOT_PARTS} statements and texts`;
    throw new DotFault('dot.too-large', message, this.#scanner.start);
  }

  #expected(what: string): DotFault {
    const scanner = this.#scanner;
    return new DotFault('dot.syntax', `expected ${what}, found ${scanner.found()}`, scanner.start);
  }
}
