import { describe, expect, it } from 'vitest';
import { readGraph } from '../../../src/architecture/graph/read-graph.ts';
import { mergeGraphs } from '../../../src/architecture/merge/merge-graphs.ts';

const BASE = `digraph knowledge {
  // the core
  "api" [type="component", status="current", tag="http"];
  "store" [type="datastore", status="current"];
  "api" -> "store" [relation="uses"];
}
`;
const after = (text: string, line: string, added: string) => text.replace(line, `${line}\n${added}`);
const lastNode = '  "store" [type="datastore", status="current"];';

function nodes(text: string): string[] {
  const read = readGraph(text);
  return read.ok ? [...read.graph.nodes.keys()] : [];
}

describe('a merge without conflict', () => {
  it('of two new nodes on the same line, which git would not merge', () => {
    const ours = after(BASE, lastNode, '  "a" [type="rule"];');
    const theirs = after(BASE, lastNode, '  "b" [type="rule"];');
    const merged = mergeGraphs({ base: BASE, ours, theirs });
    expect(merged.conflicts).toEqual([]);
    expect(nodes(merged.text)).toEqual(['api', 'store', 'a', 'b']);
    expect(merged.text).toContain('// the core');
  });

  it('of two fields of one node on one line, a removed edge and an added one', () => {
    const ours = BASE.replace('status="current", tag="http"', 'status="legacy", tag="http"');
    const theirs = BASE.replace('status="current", tag="http"', 'status="current"').replace(
      '"uses"',
      '"calls"',
    );
    expect(mergeGraphs({ base: BASE, ours, theirs })).toEqual({
      text: BASE.replace('status="current", tag="http"', 'status="legacy"').replace('"uses"', '"calls"'),
      conflicts: [],
    });
  });

  it('of a node that one side removed and the other left unchanged', () => {
    const theirs = BASE.replace(`${lastNode}\n`, '').replace('  "api" -> "store" [relation="uses"];\n', '');
    const ours = BASE.replace('tag="http"', 'tag="web"');
    const merged = mergeGraphs({ base: BASE, ours, theirs });
    expect(merged).toEqual({ text: theirs.replace('tag="http"', 'tag="web"'), conflicts: [] });
  });

  it('of the same change on both sides, comments on one side, and an unchanged side', () => {
    const ours = after(BASE, lastNode, '  "a" [type="rule"];');
    expect(mergeGraphs({ base: BASE, ours, theirs: ours })).toEqual({ text: ours, conflicts: [] });
    expect(mergeGraphs({ base: BASE, ours: BASE, theirs: ours }).text).toBe(ours);
    const theirs = BASE.replace('// the core', '// the heart');
    const merged = mergeGraphs({ base: BASE, ours, theirs });
    expect(merged.conflicts).toEqual([]);
    expect(merged.text).toContain('// the heart');
    expect(merged.text).toContain('"a" [type="rule"];');
  });

  it('of new graphs with different nodes', () => {
    const merged = mergeGraphs({ base: '', ours: 'digraph {\n  a;\n}\n', theirs: 'digraph {\n  b;\n}\n' });
    expect(merged.conflicts).toEqual([]);
    expect(nodes(merged.text).sort()).toEqual(['a', 'b']);
  });
});

describe('a merge conflict is', () => {
  it('one field changed differently, marked on its line while the rest is merged', () => {
    const ours = after(BASE, lastNode, '  "a" [type="rule"];').replace('tag="http"', 'tag="web"');
    const theirs = after(BASE, lastNode, '  "b" [type="rule"];').replace('tag="http"', 'tag="rest"');
    const { text, conflicts } = mergeGraphs({ base: BASE, ours, theirs });
    expect(conflicts).toEqual([{ node: 'api', why: expect.stringMatching(/\btag\b/) }]);
    expect(text).toContain(
      '<<<<<<< ours\n  "api" [type="component", status="current", tag="web"];\n=======\n  "api" [type="component", status="current", tag="rest"];\n>>>>>>> theirs\n',
    );
    expect(text).toContain('"a" [type="rule"];');
    expect(text).toContain('"b" [type="rule"];');
    expect(readGraph(text)).toMatchObject({ ok: false, fault: { code: 'dot.conflict' } });
  });

  it('a node in two places of the file, which git would merge silently', () => {
    const ours = after(BASE, lastNode, '  "a" [type="rule", tag="x"];');
    const theirs = after(BASE, '  // the core', '  "a" [type="rule", tag="y"];');
    const { text, conflicts } = mergeGraphs({ base: BASE, ours, theirs });
    expect(conflicts).toEqual([{ node: 'a', why: expect.stringMatching(/\btag\b/) }]);
    expect(text).toContain('<<<<<<<');
  });

  it.each([
    [
      'a node that one side changed and the other removed',
      BASE.replace('type="datastore", status="current"', 'type="datastore", status="legacy"'),
      BASE.replace(`${lastNode}\n`, '').replace('  "api" -> "store" [relation="uses"];\n', ''),
      { node: 'store' },
    ],
    [
      'an edge to a node that the other side removed',
      after(BASE, '  "api" -> "store" [relation="uses"];', '  "api" -> "store" [relation="calls"];'),
      BASE.replace(`${lastNode}\n`, '').replace('  "api" -> "store" [relation="uses"];\n', ''),
      { edge: { from: 'api', to: 'store', relation: 'calls' } },
    ],
    [
      'an edge note changed differently',
      BASE.replace('relation="uses"', 'relation="uses", note="a"'),
      BASE.replace('relation="uses"', 'relation="uses", note="b"'),
      { edge: { from: 'api', to: 'store', relation: 'uses' } },
    ],
  ])('%s, in both directions', (_, ours, theirs, where) => {
    const merged = mergeGraphs({ base: BASE, ours, theirs });
    expect(merged.conflicts).toContainEqual(expect.objectContaining(where));
    expect(merged.text).toContain('<<<<<<<');
    const turned = mergeGraphs({ base: BASE, ours: theirs, theirs: ours });
    expect(turned.conflicts).not.toEqual([]);
    expect(turned.text).toContain('<<<<<<<');
  });

  it('an unreadable graph whose lines do not merge', () => {
    const { text, conflicts } = mergeGraphs({ base: 'a\n', ours: 'digraph {\n', theirs: 'b\n' });
    expect(conflicts).toHaveLength(1);
    expect(text).toBe('<<<<<<< ours\ndigraph {\n=======\nb\n>>>>>>> theirs\n');
  });
});
