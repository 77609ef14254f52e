import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { applyOperation } from '../../../src/architecture/edit/apply-operation.ts';
import type { Operation } from '../../../src/architecture/edit/operation.ts';
import type { ArchitectureGraph } from '../../../src/architecture/graph/architecture-graph.ts';
import { readGraph } from '../../../src/architecture/graph/read-graph.ts';
import { runs } from '../../support/thorough.ts';
import { graphvizReads, type PlainGraph } from '../dot/graphviz.ts';
import { comparable, plainGraph } from '../dot/plain-graph.ts';
import { aDotText, anId, aValue } from './generated-graph.ts';

const newId = fc.constantFrom('new-one', 'other');
const fields = fc
  .dictionary(fc.constantFrom('type', 'status', 'tag', 'component', 'description'), aValue, { maxKeys: 4 })
  .map((all) => new Map(Object.entries(all).filter(([, value]) => value !== '')));
const relation = fc.constantFrom('uses', 'calls');

const operation: fc.Arbitrary<Operation> = fc.oneof(
  fc.record({ operation: fc.constant('add_node' as const), name: fc.oneof(newId, anId), fields }),
  fc.record({
    operation: fc.constant('update_node' as const),
    name: anId,
    fields,
    unset: fc.constantFrom([], ['tag'], ['path', 'priority']),
  }),
  fc.record({ operation: fc.constant('remove_node' as const), name: anId }),
  fc.record({ operation: fc.constant('rename_node' as const), name: anId, newName: newId }),
  fc.record({
    operation: fc.constant('add_edge' as const),
    from: anId,
    to: anId,
    fields: relation.map((one) => new Map([['relation', one]])),
  }),
  fc.record({
    operation: fc.constant('remove_edge' as const),
    from: anId,
    to: anId,
    relation: fc.option(relation, { nil: undefined }),
  }),
);

function read(text: string): ArchitectureGraph {
  const result = readGraph(text);
  if (!result.ok) throw new Error(`${result.fault.message} in ${text}`);
  return result.graph;
}

/** The effect of the operation on plain values. */
function expected(
  before: PlainGraph,
  one: Operation,
  actual: PlainGraph,
  declared: ReadonlySet<string>,
): PlainGraph {
  const after = structuredClone(before);
  switch (one.operation) {
    case 'add_node':
      // The node also gets the file's defaults.
      after.nodes[one.name] = sorted({ ...actual.nodes[one.name], ...Object.fromEntries(one.fields) });
      return after;
    case 'update_node': {
      const now = { ...after.nodes[one.name], ...Object.fromEntries(one.fields) };
      for (const field of one.unset) delete now[field];
      after.nodes[one.name] = sorted(now);
      return after;
    }
    case 'remove_node': {
      delete after.nodes[one.name];
      // Nodes that only its edges named disappear too.
      for (const id of Object.keys(after.nodes)) {
        if (!declared.has(id) && !Object.hasOwn(actual.nodes, id)) delete after.nodes[id];
      }
      after.edges = after.edges.filter(({ from, to }) => from !== one.name && to !== one.name);
      after.members = after.members.map(([name = '', ...ids]) => [
        name,
        ...ids.filter((id) => Object.hasOwn(after.nodes, id)),
      ]);
      return after;
    }
    case 'rename_node': {
      const now = (id: string) => (id === one.name ? one.newName : id);
      const nodes = Object.entries(after.nodes).map(([id, { ...all }]) => {
        if (all.component === one.name) all.component = one.newName;
        return [now(id), all] as const;
      });
      return {
        nodes: Object.fromEntries(nodes),
        edges: after.edges.map((edge) => ({ ...edge, from: now(edge.from), to: now(edge.to) })),
        members: after.members.map(([name = '', ...ids]) => [name, ...ids.map(now)]),
      };
    }
    case 'add_edge':
    case 'remove_edge':
      return after;
  }
}

function sorted(record: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(record).sort());
}

/** Compares edges by count; attributes other than ends and relation do not matter here. */
function edgesOf(
  { edges }: PlainGraph,
  { from, to, relation: asked }: { from: string; to: string; relation?: string | undefined },
) {
  return edges.filter((edge) => {
    const isOfRelation = asked === undefined || edge.attributes.relation === asked;
    return edge.from === from && edge.to === to && isOfRelation;
  });
}

it('any sequence of operations leaves a file with the requested content, for us and for Graphviz [GRAPH-3]', () => {
  fc.assert(
    fc.property(aDotText, fc.array(operation, { minLength: 1, maxLength: 6 }), (text, operations) => {
      let graph = read(text);
      for (const one of operations) {
        const before = plainGraph(graph);
        const declared = new Set(
          [...graph.nodes.values()].filter((node) => node.declared).map(({ id }) => id),
        );
        const applied = applyOperation(graph, one);
        if (!applied.ok) continue;
        const { text: now } = applied.graph;
        const after = plainGraph(read(now));
        if (one.operation === 'add_edge' || one.operation === 'remove_edge') {
          const change = one.operation === 'add_edge' ? 1 : -edgesOf(before, one).length;
          expect(edgesOf(after, one)).toHaveLength(edgesOf(before, one).length + change);
          expect(after.edges).toHaveLength(before.edges.length + change);
          const kept = Object.keys(before.nodes).filter(
            (id) => declared.has(id) || Object.hasOwn(after.nodes, id),
          );
          const nodes = Object.fromEntries(kept.map((id) => [id, before.nodes[id] ?? {}]));
          const members = before.members.map(([name = '', ...ids]) => [
            name,
            ...ids.filter((id) => kept.includes(id)),
          ]);
          expect(comparable({ ...after, edges: [] })).toEqual(comparable({ nodes, members, edges: [] }));
        } else expect(comparable(after)).toEqual(comparable(expected(before, one, after, declared)));
        const theirs = graphvizReads(now.replace(/^\uFEFF/, ''));
        expect(theirs && comparable(theirs)).toEqual(comparable(after));
        graph = applied.graph;
      }
    }),
    { numRuns: runs(150) },
  );
});

it('an operation leaves all other bytes unchanged [GRAPH-3]', () => {
  fc.assert(
    fc.property(aDotText, newId, fields, (text, name, values) => {
      const graph = read(text);
      const added = applyOperation(graph, { operation: 'add_node', name, fields: values });
      if (!added.ok) return;
      const now = added.graph.text;
      let head = 0;
      while (head < text.length && text[head] === now[head]) head++;
      const left = text.slice(head);
      // Text is only inserted, except that an empty body may get new lines.
      expect(now.endsWith(left) || graph.tree.body.statements.length === 0).toBe(true);
      const removed = applyOperation(added.graph, { operation: 'remove_node', name });
      expect(removed.ok && comparable(plainGraph(removed.graph))).toEqual(comparable(plainGraph(graph)));
    }),
    { numRuns: runs(150) },
  );
});

it('operations on existing nodes and edges are rarely refused because of the file’s layout', () => {
  let entangled = 0;
  let made = 0;
  fc.assert(
    fc.property(aDotText, operation, (text, one) => {
      const applied = applyOperation(read(text), one);
      if (applied.ok) made++;
      else if (applied.code === 'edit.entangled') entangled++;
    }),
    { numRuns: 1000 },
  );
  expect(made).toBeGreaterThan(200);
  expect(entangled / made).toBeLessThan(0.05);
});
