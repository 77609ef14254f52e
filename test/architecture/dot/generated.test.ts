import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { readGraph } from '../../../src/architecture/graph/read-graph.ts';
import { aDotText } from '../edit/generated-graph.ts';
import { graphvizReads } from './graphviz.ts';
import { comparable, plainGraph } from './plain-graph.ts';

function assertAlike(text: string): void {
  const theirs = graphvizReads(text);
  const read = readGraph(text);
  expect(read.ok ? comparable(plainGraph(read.graph)) : undefined).toEqual(theirs && comparable(theirs));
}

it('generated graphs in all manners of writing mean to us what they mean to Graphviz [GRAPH-1]', () => {
  fc.assert(fc.property(aDotText, assertAlike), { numRuns: 200 });
});

it('generated graphs with something taken out are read or refused as by Graphviz', () => {
  const damaged = fc
    .tuple(aDotText, fc.nat(), fc.integer({ min: 1, max: 3 }))
    .map(([text, at, length]) => {
      const start = at % text.length;
      return text.slice(0, start) + text.slice(start + length);
    })
    // What follows the graph is another question, and so is a mark at the very beginning.
    .filter((text) => !/^\uFEFF\S/.test(text));
  fc.assert(
    fc.property(damaged, (text) => {
      const read = readGraph(text);
      if (!read.ok && read.fault.code === 'dot.after-end') return;
      assertAlike(text);
    }),
    { numRuns: 300 },
  );
});

it('marks and words in any order are read or refused as by Graphviz', () => {
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
  fc.assert(
    fc.property(text, (one) => {
      const read = readGraph(one);
      if (!read.ok && (read.fault.code === 'dot.after-end' || one.includes('}') !== one.endsWith('}')))
        return;
      if (one.indexOf('}') !== one.length - 1) return;
      assertAlike(one);
    }),
    { numRuns: 1500 },
  );
});
