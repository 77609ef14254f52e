import { describe, expect, it } from 'vitest';
import { readGraph } from '../../../src/architecture/graph/read-graph.ts';
import { BUILT_IN_SCHEMA, extendSchema } from '../../../src/architecture/schema/knowledge-schema.ts';
import type { ValidationFacts } from '../../../src/architecture/validation/graph-fault.ts';
import { compareFaults } from '../../../src/architecture/validation/graph-fault.ts';
import { judgeChange } from '../../../src/architecture/validation/judge-change.ts';
import { validateGraph } from '../../../src/architecture/validation/validate-graph.ts';

function validate(text: string, facts?: ValidationFacts, schema = BUILT_IN_SCHEMA) {
  const read = readGraph(text);
  if (!read.ok) throw new Error(read.fault.message);
  return validateGraph(read.graph, schema, facts);
}

const OK = 'type=component level=architecture status=current description="d"';

describe('faults', () => {
  it('are reported all at once, each with line, column, value and nearest value', () => {
    const { faults } = validate(
      `digraph {\n  a [type=component, level="application", status=active, description="d"];\n  b [type=rule level=architecture status=planned];\n  a -> c [relation=depends_on];\n  a -> b;\n}`,
    );
    expect(faults).toMatchObject([
      { code: 'node.value', line: 2, column: 28, node: 'a', field: 'level', found: 'application' },
      { code: 'node.value', line: 2, column: 50, node: 'a', field: 'status', found: 'active' },
      { code: 'node.missing', line: 3, column: 3, node: 'b', field: 'description' },
      { code: 'node.missing', line: 3, column: 3, node: 'b', field: 'priority' },
      { code: 'node.value', line: 3, column: 42, node: 'b', field: 'status', found: 'planned' },
      { code: 'edge.end', line: 4, column: 3, edge: { from: 'a', to: 'c' } },
      { code: 'edge.value', line: 4, column: 20, field: 'relation', found: 'depends_on' },
      { code: 'edge.missing', line: 5, column: 3, field: 'relation' },
    ]);
    expect(faults.map(({ nearest }) => nearest)).toEqual([
      'architecture',
      'current',
      undefined,
      undefined,
      'future',
      undefined,
      'uses',
      undefined,
    ]);
  });

  it('distinguish edge attributes from node attributes, and ignore comments', () => {
    expect(
      validate(`digraph { a [${OK}]; b [${OK}]; a -> b [relation=uses, note="x"]; /* c [type=x] */ }`),
    ).toEqual({
      faults: [],
      warnings: [],
    });
    expect(validate(`digraph { b [${OK}]; // a [${OK}];\n a -> b [relation=uses]; }`).faults).toHaveLength(1);
  });

  it('respect defaults and repeated statements', () => {
    const text = `digraph { node [level=architecture status=current]; a [type=component]; a [description=d]; b [type=x description=d]; b [type=rule priority=low]; }`;
    expect(validate(text).faults).toEqual([]);
  });

  it('respect a project’s additional types, relations and tags', () => {
    const text = `digraph { a [type=service level=architecture status=current description=d tag=autth]; a -> a [relation=publishes]; }`;
    const schema = extendSchema({ types: ['service'], relations: ['publishes'], tags: ['auth'] });
    expect(validate(text).faults.map(({ field }) => field)).toEqual(['type', 'relation']);
    expect(validate(text, {}, schema).faults).toMatchObject([
      { field: 'tag', found: 'autth', nearest: 'auth' },
    ]);
  });

  it('require kebab-case only for new nodes', () => {
    const text = `digraph { ApiServer [${OK}]; OldOne [${OK}]; }`;
    expect(validate(text).faults).toEqual([]);
    expect(validate(text, { oldIds: new Set(['OldOne']) }).faults).toMatchObject([
      { code: 'node.id', node: 'ApiServer', nearest: 'api-server' },
    ]);
  });
});

it('a file with too many faults gets a fault about that', () => {
  const nodes = Array.from({ length: 6000 }, (_, index) => `n${index}`);
  const { faults } = validate(`digraph { ${nodes.join(' ')} }`);
  expect(faults).toHaveLength(20_001);
  expect(faults.map(({ code }) => code)).toContain('graph.too-many-faults');
});

describe('warnings', () => {
  const base = `a [${OK}]; b [${OK}]; r [type=rule level=architecture status=current description=d priority=low];`;
  const codes = (text: string, facts?: ValidationFacts) =>
    validate(`digraph { ${base} ${text} }`, facts).warnings.map(({ code }) => code);

  it.each([
    ['an edge from a node to itself', 'a -> a [relation=uses]', ['edge.self']],
    ['a duplicate edge', 'a -> b [relation=uses]; a -> b [relation=uses]', ['edge.duplicate']],
    ['no other relation between the same nodes', 'a -> b [relation=uses]; a -> b [relation=calls]', []],
    ['must_follow to a node that is not a rule', 'a -> b [relation=must_follow]', ['edge.must-follow']],
    ['nothing about must_follow to a rule', 'a -> r [relation=must_follow]', []],
    ['a superseded node that is still current', 'a -> b [relation=supersedes]', ['node.superseded']],
    [
      'both inverses',
      'a -> b [relation=supersedes]; b -> a [relation=superseded_by]; b [status=legacy]',
      ['edge.inverse'],
    ],
    [
      'a cycle of supersedes, also through superseded_by',
      'c [status=legacy]; a [status=legacy]; b [status=legacy]; a -> b [relation=supersedes]; c -> b [relation=superseded_by]; c -> a [relation=supersedes]',
      ['edge.cycle'],
    ],
    ['a missing component', 'a [component=bb]', ['node.component']],
    ['no existing component', 'a [component=b]', []],
  ])('%s', (_, text, expected) => {
    expect(codes(text)).toEqual(expected);
  });

  it('a path that does not exist in the repository', () => {
    expect(codes('a [path="src/x.ts"]', { missingPaths: new Set(['src/x.ts']) })).toEqual(['node.path']);
  });

  it('an undirected graph', () => {
    expect(validate('graph { }').warnings.map(({ code }) => code)).toEqual(['graph.undirected']);
  });

  it('a chain of thousands of nodes is handled', () => {
    const chain = Array.from(
      { length: 5000 },
      (_, index) => `n${index} -> n${index + 1} [relation=supersedes];`,
    );
    expect(validate(`digraph { ${chain.join(' ')} }`).warnings).toEqual([]);
  });
});

describe('compared with a base', () => {
  const broken = `digraph {\n  a [type=component level=application status=current description=d];\n}`;

  it('only faults that a change adds are new, at any position', () => {
    const before = validate(broken).faults;
    const after = validate(`// moved\n${broken.replace('}', '  b [type=rule];\n}')}`).faults;
    const { added, remaining } = compareFaults(before, after);
    expect(remaining).toHaveLength(1);
    expect(new Set(added.map(({ node }) => node))).toEqual(new Set(['b']));
  });

  it('a second fault of the same kind is new', () => {
    const before = validate('digraph { a -> a }').faults;
    expect(compareFaults(before, validate('digraph { a -> a; a -> a }').faults).added).not.toEqual([]);
  });

  it.each([
    ['no graph before and after', undefined, undefined, 'skipped'],
    ['an unchanged graph with faults', broken, broken, 'skipped'],
    ['a graph that was deleted', broken, undefined, 'fail'],
    ['a graph that cannot be read', broken, 'digraph {', 'fail'],
    ['a new graph without faults', undefined, `digraph { a [${OK}] }`, 'pass'],
    ['a new graph with a fault', undefined, broken, 'fail'],
    ['a new node that is not kebab-case', `digraph {}`, `digraph { NewNode [${OK}] }`, 'fail'],
    ['a graph with one fault less', broken.replace('current', 'planned'), broken, 'pass'],
    ['a graph that becomes readable', 'digraph {', `digraph { OldNode [${OK}] }`, 'pass'],
  ])('%s', (_, before, after, verdict) => {
    expect(judgeChange({ before, after }, BUILT_IN_SCHEMA).verdict).toBe(verdict);
  });
});
