import { describe, expect, it } from 'vitest';
import { applyOperation } from '../../../src/architecture/edit/apply-operation.ts';
import type { Operation } from '../../../src/architecture/edit/operation.ts';
import { readGraph } from '../../../src/architecture/graph/read-graph.ts';
import { graphvizReads } from '../dot/graphviz.ts';

function apply(text: string, ...operations: Operation[]): string {
  let current = text;
  for (const operation of operations) {
    const read = readGraph(current);
    if (!read.ok) throw new Error(read.fault.message);
    const applied = applyOperation(read.graph, operation);
    if (!applied.ok) return `refused ${applied.code}: ${applied.message} ${applied.hint}`;
    current = applied.graph.text;
  }
  expect(graphvizReads(current.replace(/^\uFEFF/, ''))).toBeDefined();
  return current;
}

const fields = (values: Record<string, string>) => new Map(Object.entries(values));
const addNode = (name: string, values: Record<string, string> = { type: 'rule' }): Operation => ({
  operation: 'add_node',
  name,
  fields: fields(values),
});
const addEdge = (
  from: string,
  to: string,
  values: Record<string, string> = { relation: 'uses' },
): Operation => ({
  operation: 'add_edge',
  from,
  to,
  fields: fields(values),
});
const update = (name: string, values: Record<string, string>, unset: string[] = []): Operation => ({
  operation: 'update_node',
  name,
  fields: fields(values),
  unset,
});
const remove = (name: string): Operation => ({ operation: 'remove_node', name });
const removeEdge = (from: string, to: string, relation?: string): Operation => ({
  operation: 'remove_edge',
  from,
  to,
  relation,
});

describe('new nodes and edges follow the style of the file', () => {
  it('with quotes, commas, indentation and semicolons', () => {
    const text =
      'digraph g {\n    "a" [type="x", tag="y"];  // first\n\n    "a" -> "a" [relation="uses"];\n}\n';
    expect(apply(text, addNode('b', { type: 'rule', tag: 'z' }), addEdge('a', 'b'))).toBe(
      'digraph g {\n    "a" [type="x", tag="y"];  // first\n    "b" [type="rule", tag="z"];\n\n    "a" -> "a" [relation="uses"];\n    "a" -> "b" [relation="uses"];\n}\n',
    );
  });

  it('with bare words, without semicolons and commas', () => {
    const text = 'digraph {\n\ta [type=x tag=y]\n\ta->a[relation=uses]\n}';
    expect(apply(text, addNode('b-c', { type: 'rule', tag: 'z' }), addEdge('a', 'b-c'))).toBe(
      'digraph {\n\ta [type=x tag=y]\n\t"b-c" [type=rule tag=z]\n\ta->a[relation=uses]\n\ta->"b-c"[relation=uses]\n}',
    );
  });

  it('on one line, and in an empty graph', () => {
    expect(apply('digraph { a [type=x]; a -> a }', addNode('b'), addEdge('a', 'b'))).toBe(
      'digraph { a [type=x]; b [type=rule]; a -> a; a -> b [relation=uses] }',
    );
    expect(apply('digraph knowledge {\n}\n', addNode('b'))).toBe(
      'digraph knowledge {\n  "b" [type="rule"];\n}\n',
    );
    expect(apply('digraph{}', addNode('b'))).toBe('digraph{\n  "b" [type="rule"];\n}');
  });

  it('with one attribute per line, and with Windows line ends', () => {
    const text = 'digraph {\r\n  a [\r\n    type = "x",\r\n    tag = "y"\r\n  ];\r\n}\r\n';
    expect(apply(text, addNode('b', { type: 'rule', tag: 'z' }))).toBe(
      'digraph {\r\n  a [\r\n    type = "x",\r\n    tag = "y"\r\n  ];\r\n  b [\r\n    type = "rule",\r\n    tag = "z"\r\n  ];\r\n}\r\n',
    );
  });

  it('before a comment of several lines, and before a brace on the same line', () => {
    expect(apply('digraph {\n  a /* one\n two */\n}', addNode('b'))).toBe(
      'digraph {\n  a b [type="rule"] /* one\n two */\n}',
    );
    expect(apply('digraph {\n  a }', addNode('b'))).toBe('digraph {\n  a b [type="rule"] }');
  });
});

describe('an update', () => {
  it('replaces the value in effect, in its written form', () => {
    expect(
      apply('digraph { a [status=current, d="x ] y"] /* c */ ; }', update('a', { status: 'legacy', d: 'z' })),
    ).toBe('digraph { a [status=legacy, d="z"] /* c */ ; }');
    expect(apply('digraph { a [s=1][s="2"] a [s=<3>] }', update('a', { s: '4' }))).toBe(
      'digraph { a [s=1][s="2"] a [s="4"] }',
    );
  });

  it('adds missing fields to the existing list, in its style', () => {
    expect(apply('digraph { a [x=1; y=2;] }', update('a', { z: '3' }))).toBe(
      'digraph { a [x=1; y=2; z=3;] }',
    );
    expect(apply('digraph { a }', update('a', { z: '3' }))).toBe('digraph { a [z="3"] }');
    expect(apply('digraph { a [] }', update('a', { z: '3' }))).toBe('digraph { a [z="3"] }');
    expect(apply('digraph { a [x=1 // why\n] }', update('a', { z: '3' }))).toBe(
      'digraph { a [x=1, z=3 // why\n] }',
    );
  });

  it('leaves other nodes with the same statement or default unchanged', () => {
    expect(apply('digraph { a, b [s=1]; }', update('a', { s: '2' }))).toBe(
      'digraph { a, b [s=1]; a [s=2]; }',
    );
    expect(apply('digraph { node [s=1]; a; b; }', update('a', { s: '2' }))).toBe(
      'digraph { node [s=1]; a [s=2]; b; }',
    );
  });

  it('adds a statement for a node that only edges name', () => {
    expect(apply('digraph {\n  x;\n  a -> b;\n}', update('a', { s: '2' }))).toBe(
      'digraph {\n  x;\n  a [s="2"];\n  a -> b;\n}',
    );
  });

  it('removes fields with their separators', () => {
    expect(apply('digraph { a [x=1, tag=2, y=3] }', update('a', {}, ['tag']))).toBe(
      'digraph { a [x=1, y=3] }',
    );
    expect(apply('digraph { a [tag=2, y=3] }', update('a', {}, ['tag']))).toBe('digraph { a [y=3] }');
    expect(apply('digraph { a [tag=2]; }', update('a', {}, ['tag']))).toBe('digraph { a; }');
    expect(apply('digraph { node [tag=1] a [x=1] }', update('a', {}, ['tag']))).toBe(
      'digraph { node [tag=1] a [x=1, tag=""] }',
    );
  });

  it('writes any text so that it is read back unchanged', () => {
    for (const value of [
      'a "b"',
      'C:\\new\\',
      '\\"',
      'x\\\\',
      'two\nlines',
      '\\\n',
      'a\\',
      '<b>',
      'é\u2028',
      '$(rm)',
    ]) {
      const now = apply('digraph { a [d="x"] }', update('a', { d: value }));
      const read = readGraph(now);
      expect(read.ok && read.graph.nodes.get('a')?.attributes.get('d')?.attribute.value.value).toBe(value);
    }
  });
});

describe('removing', () => {
  it('a node removes its lines, its edges and its mentions in lists and chains', () => {
    const text =
      'digraph {\n  // kept\n  a [x=1]; // goes with it\n  b; c;\n  a -> b [r=1];\n  b -> a -> c [r=2];\n  b, a -> c [r=3];\n  b -> c;\n}\n';
    expect(apply(text, remove('a'))).toBe('digraph {\n  // kept\n  b; c;\n  b -> c [r=3];\n  b -> c;\n}\n');
  });

  it('a node removes nodes that only its edges named; a node that an edge puts in a subgraph stays there', () => {
    expect(apply('digraph { x -> a -> y [r=1]; }', remove('a'))).toBe('digraph { }');
    expect(apply('digraph { x; subgraph c { x -> a [r=1]; } a }', remove('a'))).toBe(
      'digraph { x; subgraph c { x; } }',
    );
    expect(apply('digraph {\n  a -> {b c} -> d [r=1];\n}', remove('a'))).toBe(
      'digraph {\n  {b c} -> d [r=1];\n}',
    );
  });

  it('an edge splits a chain and keeps the rest of it', () => {
    const text = 'digraph { a; b; c; d;\n  a -> b -> c -> d [relation=uses];\n}';
    expect(apply(text, removeEdge('b', 'c'))).toBe(
      'digraph { a; b; c; d;\n  a -> b [relation=uses];\n  c -> d [relation=uses];\n}',
    );
  });

  it('an edge from a product of lists or subgraphs keeps the others', () => {
    expect(apply('digraph { a; b; c; {a b} -> c [relation=uses]; }', removeEdge('b', 'c'))).toBe(
      'digraph { a; b; c; {a b}; a -> c [relation=uses]; }',
    );
    expect(apply('digraph { a; b; c; a, b -> c [relation=uses]; }', removeEdge('a', 'c'))).toBe(
      'digraph { a; b; c; b -> c [relation=uses]; }',
    );
  });

  it('one of several edges needs its relation, and the refusal lists them', () => {
    const text = 'digraph { a; b; a -> b [relation=uses]; a -> b [relation=calls]; }';
    expect(apply(text, removeEdge('a', 'b'))).toMatch(/^refused edge\.ambiguous: .*\buses, calls\b/);
    expect(apply(text, removeEdge('a', 'b', 'uses'))).toBe('digraph { a; b; a -> b [relation=calls]; }');
    expect(apply(text, removeEdge('b', 'a'))).toMatch(
      /^refused edge\.unknown: .*\ba\b.*\bb\b.*\buses, calls\b/,
    );
    expect(apply(text, removeEdge('a', 'b', 'implements'))).toMatch(
      /^refused edge\.unknown: .*\buses, calls\b/,
    );
  });
});

describe('renaming', () => {
  it('changes every mention, including ports, subgraphs and components', () => {
    const text =
      'digraph { api [x=1]; b [component=api d="api"]; node [component="api"]; api:p -> {b "api"} -> <api>; c }';
    expect(apply(text, { operation: 'rename_node', name: 'api', newName: 'api-server' })).toBe(
      'digraph { "api-server" [x=1]; b [component="api-server" d="api"]; node [component="api-server"]; "api-server":p -> {b "api-server"} -> <api>; c }',
    );
  });

  it('is refused if the new name is taken or the old one does not exist', () => {
    const rename = (name: string, newName: string): Operation => ({
      operation: 'rename_node',
      name,
      newName,
    });
    expect(apply('digraph { a -> b }', rename('a', 'b'))).toContain('refused node.exists');
    expect(apply('digraph { server; b }', rename('servr', 'c'))).toMatch(
      /^refused node\.unknown: .*\bserver\b/,
    );
  });
});

describe('adding', () => {
  it('an existing node, an existing edge, or an edge without its nodes is refused', () => {
    const text = 'digraph { a; b; a -> b [relation=uses]; c -> a }';
    expect(apply(text, addNode('a'))).toContain('refused node.exists');
    expect(apply(text, addEdge('a', 'b'))).toContain('refused edge.exists');
    expect(apply(text, addEdge('a', 'x'))).toContain('refused node.unknown');
    expect(apply(text, addEdge('a', 'c'))).toContain('refused node.undeclared');
    expect(apply(text, addEdge('a', 'b', { relation: 'calls' }))).toContain('a -> b [relation=calls]');
    expect(
      apply('strict digraph { a; b; a -> b [relation=uses] }', addEdge('a', 'b', { relation: 'calls' })),
    ).toContain('refused edge.strict');
  });

  it('a node that only edges name is not refused', () => {
    expect(apply('digraph {\n  a;\n  a -> b;\n}', addNode('b'))).toBe(
      'digraph {\n  a;\n  b [type="rule"];\n  a -> b;\n}',
    );
  });
});
