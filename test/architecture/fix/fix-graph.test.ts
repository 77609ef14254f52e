import { describe, expect, it } from 'vitest';
import { fixGraph } from '../../../src/architecture/fix/fix-graph.ts';
import { readGraph } from '../../../src/architecture/graph/read-graph.ts';
import { BUILT_IN_SCHEMA } from '../../../src/architecture/schema/knowledge-schema.ts';

function fix(text: string) {
  const read = readGraph(text);
  if (!read.ok) throw new Error(read.fault.message);
  const { graph, repairs } = fixGraph(read.graph, BUILT_IN_SCHEMA);
  return { text: graph.text, repairs };
}

describe('fix repairs', () => {
  it.each([
    [
      'a synonym',
      'digraph { a [status=active, level="application"] }',
      'digraph { a [status=current, level="architecture"] }',
    ],
    ['a value in the wrong case', 'digraph { a [status="Current"] }', 'digraph { a [status="current"] }'],
    ['a misspelt value', 'digraph { a [type=compnent] }', 'digraph { a [type=component] }'],
    ['a shared value once', 'digraph { a, b [status=planned] }', 'digraph { a, b [status=future] }'],
    ['a default', 'digraph { node [status=planned] a; b }', 'digraph { node [status=future] a; b }'],
    ['a misspelt field', 'digraph { a [desciption="d"] }', 'digraph { a [description="d"] }'],
    ['a field with another tool’s name', 'digraph { a [desc="d"] }', 'digraph { a [description="d"] }'],
    [
      'a relation',
      'digraph { a; b; a -> b [relation=depends_on] }',
      'digraph { a; b; a -> b [relation=uses] }',
    ],
    [
      'a relation given as a label',
      'digraph { a; b; a -> b [label="uses"] }',
      'digraph { a; b; a -> b [relation="uses", label="uses"] }',
    ],
    [
      'a duplicate edge',
      'digraph {\n a; b;\n a -> b [relation=uses];\n a -> b [relation=uses];\n}',
      'digraph {\n a; b;\n a -> b [relation=uses];\n}',
    ],
    [
      'a misspelt node in an edge',
      'digraph { "api-server"; b; api_server -> b [relation=uses] }',
      'digraph { "api-server"; b; "api-server" -> b [relation=uses] }',
    ],
  ])('%s', (_, before, after) => {
    const fixed = fix(before);
    expect(fixed.text).toBe(after);
    expect(fixed.repairs).toHaveLength(fixed.text === before ? 0 : before.match(/active/) ? 2 : 1);
  });
});

it('fix leaves faults that need judgement, and drawing attributes, unchanged', () => {
  for (const text of [
    'digraph { a [type=xyzzy] }',
    'digraph { a [shape=box, style=filled, label="A", pos="1,2"] }',
    'digraph { a; b; a -> b; }',
    'digraph { a; a -> quux [relation=uses] }',
    'digraph { a [status=current, Status=old] }',
  ]) {
    expect(fix(text)).toEqual({ text, repairs: [] });
  }
});
