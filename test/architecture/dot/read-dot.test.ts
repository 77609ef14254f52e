import { describe, expect, it } from 'vitest';
import { readDot } from '../../../src/architecture/dot/read-dot.ts';
import { readGraph } from '../../../src/architecture/graph/read-graph.ts';
import { sample } from '../../support/thorough.ts';
import { EDGE_CASES, MORE_THAN_A_GRAPH, WITH_MARK } from './edge-cases.ts';
import { graphvizReads } from './graphviz.ts';
import { comparable, plainGraph } from './plain-graph.ts';

function ours(text: string) {
  const read = readGraph(text);
  return read.ok ? comparable(plainGraph(read.graph)) : undefined;
}

it.each(EDGE_CASES.map((text) => [text]))('%j is accepted or rejected as by Graphviz', (text) => {
  const theirs = graphvizReads(text);
  expect(ours(text)).toEqual(theirs && comparable(theirs));
});

it.each(MORE_THAN_A_GRAPH.map((text) => [text]))('%j: text after the graph is an error', (text) => {
  expect(readDot(text)).toMatchObject({ ok: false, fault: { code: 'dot.after-end', line: 1 } });
});

it('a leading byte order mark is not part of the first word and not a column', () => {
  expect(ours(WITH_MARK)).toEqual(ours('digraph{a}'));
  expect(readDot('\uFEFFdigrap{a}')).toMatchObject({ ok: false, fault: { line: 1, column: 1 } });
});

describe('an error', () => {
  it.each([
    ['digraph {\n  a [type=\n}', 3, 1, 'dot.syntax'],
    ['digraph {\r\n  a -- b\r\n}', 2, 5, 'dot.edge-operator'],
    ['digraph {\n  api-server [x=1]\n}', 2, 6, 'dot.character'],
    ['digraph {\n  a [x="1]\n}', 2, 8, 'dot.open-string'],
    ['digraph { a [x=<b] }', 1, 16, 'dot.open-html'],
    ['digraph {\n /* a }', 2, 2, 'dot.open-comment'],
    ['digraph { a', 1, 12, 'dot.syntax'],
    ['digraph { a;; }', 1, 13, 'dot.syntax'],
    ['', 1, 1, 'dot.empty'],
    ['digraph { "a\0" }', 1, 13, 'dot.character'],
  ])('for %j has line, column and code', (text, line, column, code) => {
    expect(readDot(text)).toMatchObject({ ok: false, fault: { line, column, code } });
  });
});

describe('git conflict markers', () => {
  const conflict = 'digraph {\n  a\n<<<<<<< ours\n  b\n=======\n  c\n>>>>>>> theirs\n}\n';

  it('are reported, although Graphviz reads them as a node name', () => {
    expect(graphvizReads(conflict)).toBeDefined();
    expect(readDot(conflict)).toMatchObject({
      ok: false,
      fault: { code: 'dot.conflict', line: 3, column: 1 },
    });
  });

  it('are found with Windows line ends, with a base section, and inside a string', () => {
    for (const text of [
      conflict.replaceAll('\n', '\r\n'),
      conflict.replace('=======', '||||||| base\n=======').replace('ours', ''),
      'digraph { a [d="\n<<<<<<< ours\nx\n=======\ny\n>>>>>>> theirs\n"] }',
    ]) {
      expect(readDot(text)).toMatchObject({ ok: false, fault: { code: 'dot.conflict' } });
    }
  });

  it('are not found in similar text', () => {
    expect(readDot('digraph { a [d="\n=======\nTitle\n======="] }').ok).toBe(true);
    expect(readDot('digraph {\n<<<<<<<b>>>>>>>\n}').ok).toBe(true);
  });
});

describe('hostile texts are rejected within limits', () => {
  const texts: [string, string, string][] = [
    ['too many characters', `digraph{${' '.repeat(5_000_000)}}`, 'dot.too-large'],
    ['too many statements', `digraph{${'a '.repeat(700_000)}}`, 'dot.too-large'],
    ['deeply nested subgraphs', `digraph{${'{'.repeat(100_000)}`, 'dot.too-deep'],
    ['nested HTML', `digraph{${'<'.repeat(1_000_000)}`, 'dot.open-html'],
    ['repeated byte order marks', `digraph{${'\uFEFF '.repeat(1_000_000)}`, 'dot.syntax'],
    ['edges between all nodes', `digraph{{${names(3000)}}->{${names(3000)}}}`, 'dot.too-large'],
    ['many attributes for many nodes', `digraph{${names(9000, ',')} [${attributes(9000)}]}`, 'dot.too-large'],
    ['many defaults for many nodes', `digraph{node[${attributes(9000)}]${names(9000)}}`, 'dot.too-large'],
    [
      'a strict edge that is repeated many times',
      `strict digraph{subgraph x{${names(9000)}}${'subgraph x{}->b '.repeat(9000)}}`,
      'dot.too-large',
    ],
  ];
  it.each(sample(2, texts))('%s', (_, text, code) => {
    expect(readGraph(text)).toMatchObject({ ok: false, fault: { code } });
  });

  it('a big subgraph with an edge to an empty one costs nothing', () => {
    expect(readGraph(`digraph{subgraph x{${names(9000)}}${'subgraph x{}->{} '.repeat(9000)}}`).ok).toBe(true);
  });

  function names(count: number, between = ' '): string {
    return Array.from({ length: count }, (_, index) => `n${index}`).join(between);
  }

  function attributes(count: number): string {
    return Array.from({ length: count }, (_, index) => `k${index}=1`).join(' ');
  }
});

it('names of built-in JavaScript properties are ordinary names', () => {
  const read = readGraph('digraph { __proto__ [__proto__=x constructor=y]; constructor -> __proto__ }');
  expect(read.ok && [...read.graph.nodes.keys()]).toEqual(['__proto__', 'constructor']);
  expect(read.ok && [...(read.graph.nodes.get('__proto__')?.attributes.keys() ?? [])]).toEqual([
    '__proto__',
    'constructor',
  ]);
});
