import { isDeepStrictEqual } from 'node:util';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { readGraph } from '../../../src/architecture/graph/read-graph.ts';
import { runs } from '../../support/thorough.ts';
import { aDotText } from '../edit/generated-graph.ts';
import { graphvizReads, graphvizReadsAfresh } from './graphviz.ts';
import { comparable, plainGraph } from './plain-graph.ts';

async function assertAlike(text: string): Promise<void> {
  const read = readGraph(text);
  const ours = read.ok ? comparable(plainGraph(read.graph)) : undefined;
  if (isDeepStrictEqual(ours, theirs(graphvizReads, text))) return;
  const fresh = await graphvizReadsAfresh(text);
  expect(ours).toEqual(fresh && comparable(fresh));
}

function theirs(reads: typeof graphvizReads, text: string) {
  try {
    const graph = reads(text);
    return graph && comparable(graph);
  } catch {
    // Graphviz failed internally; a fresh instance decides.
    return null;
  }
}

it('generated graphs in all styles have the same content for us and for Graphviz [GRAPH-1]', async () => {
  await fc.assert(fc.asyncProperty(aDotText, assertAlike), { numRuns: runs(200) });
});

it('generated graphs with deletions are accepted or rejected as by Graphviz', async () => {
  const damaged = fc
    .tuple(aDotText, fc.nat(), fc.integer({ min: 1, max: 3 }))
    .map(([text, at, length]) => {
      const start = at % text.length;
      return text.slice(0, start) + text.slice(start + length);
    })
    // Not about text after the graph, or a byte order mark at the start.
    .filter((text) => !/^\uFEFF\S/.test(text));
  await fc.assert(
    fc.asyncProperty(damaged, async (text) => {
      const read = readGraph(text);
      if (!read.ok && read.fault.code === 'dot.after-end') return;
      await assertAlike(text);
    }),
    { numRuns: runs(300) },
  );
});

it('tokens in any order are accepted or rejected as by Graphviz', async () => {
  const pieces = fc.constantFrom(
    ...[
      'a',
      '"b"',
      '<c>',
      '1.5',
      '-',
      '->',
      '--',
      '{',
      '}',
      '[',
      ']',
      '=',
      ';',
      ',',
      ':',
      '+',
      ' ',
      '\n',
      '#',
      '//',
    ],
    ...[
      '/*',
      '*/',
      'node',
      'edge',
      'graph',
      'subgraph',
      'strict',
      '"',
      '<',
      '>',
      '\\',
      '.',
      '-2',
      'é',
      '@',
      "'",
    ],
  );
  const text = fc.array(pieces, { maxLength: 12 }).map((all) => `digraph{${all.join('')}}`);
  await fc.assert(
    fc.asyncProperty(text, async (one) => {
      const read = readGraph(one);
      if (!read.ok && (read.fault.code === 'dot.after-end' || one.includes('}') !== one.endsWith('}')))
        return;
      if (one.indexOf('}') !== one.length - 1) return;
      // The comparison mistakes a quoted name in angle brackets for an HTML name.
      if (/"<[^"]*>"/.test(one)) return;
      await assertAlike(one);
    }),
    { numRuns: runs(1500) },
  );
});
