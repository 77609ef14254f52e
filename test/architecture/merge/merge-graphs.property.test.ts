import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { applyOperation } from '../../../src/architecture/edit/apply-operation.ts';
import type { Operation } from '../../../src/architecture/edit/operation.ts';
import type { ArchitectureGraph } from '../../../src/architecture/graph/architecture-graph.ts';
import { readGraph } from '../../../src/architecture/graph/read-graph.ts';
import { mergeGraphs } from '../../../src/architecture/merge/merge-graphs.ts';
import { planMerge } from '../../../src/architecture/merge/plan-merge.ts';
import { runs } from '../../support/thorough.ts';

const BASE = `digraph knowledge {
  // nodes
  a [type=component, tag=x];
  b [type=rule, tag=x]; // about b
  c [type=datastore];
  d, e [type=pattern];
  // edges
  a -> b [relation=uses];
  b -> c -> d [relation=calls];
}
`;
const id = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'new-one', 'other');
const fields = fc
  .dictionary(fc.constantFrom('type', 'tag', 'status'), fc.constantFrom('x', 'y'), { maxKeys: 2 })
  .map((all) => new Map(Object.entries(all)));
const operation: fc.Arbitrary<Operation> = fc.oneof(
  fc.record({ operation: fc.constant('add_node' as const), name: id, fields }),
  fc.record({ operation: fc.constant('update_node' as const), name: id, fields, unset: fc.constant([]) }),
  fc.record({ operation: fc.constant('remove_node' as const), name: id }),
  fc.record({
    operation: fc.constant('add_edge' as const),
    from: id,
    to: id,
    fields: fc.constantFrom('uses', 'calls').map((relation) => new Map([['relation', relation]])),
  }),
  fc.record({ operation: fc.constant('remove_edge' as const), from: id, to: id }),
);
const operations = fc.array(operation, { maxLength: 4 });

function read(text: string): ArchitectureGraph {
  const result = readGraph(text);
  if (!result.ok) throw new Error(`${result.fault.message}:\n${text}`);
  return result.graph;
}

function changed(all: readonly Operation[]): string {
  let graph = read(BASE);
  for (const one of all) {
    const applied = applyOperation(graph, one);
    if (applied.ok) ({ graph } = applied);
  }
  return graph.text;
}

it('a merge without conflicts has the changes of both sides; one with conflicts is marked', () => {
  fc.assert(
    fc.property(operations, operations, (mine, other) => {
      const [ours, theirs] = [changed(mine), changed(other)];
      const { text, conflicts } = mergeGraphs({ base: BASE, ours, theirs });
      if (conflicts.length > 0) {
        expect(readGraph(text)).toMatchObject({ ok: false, fault: { code: 'dot.conflict' } });
        return;
      }
      const merged = read(text);
      for (const side of [ours, theirs]) {
        expect(planMerge(read(BASE), merged, read(side))).toEqual({ operations: [], conflicts: [] });
      }
      expect(text).toContain('// nodes');
      expect(text).toContain('// edges');
    }),
    { numRuns: runs(300) },
  );
});
