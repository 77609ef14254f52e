import { describe, expect, it } from 'vitest';
import { extendSchema } from '../../../src/architecture/schema/knowledge-schema.ts';
import { knowledgeUpdate } from '../../../src/architecture/update/knowledge-update.ts';
import { knowledgeUpdateSchema } from '../../../src/architecture/update/update-schema.ts';
import { MemoryGraphFile } from '../memory-graph-file.ts';

const API = {
  operation: 'add_node',
  name: 'api-server',
  type: 'component',
  level: 'architecture',
  status: 'current',
  description: 'Answers requests',
};

const GRAPH = `digraph knowledge {
  "api-server" [type="component", level="architecture", status="current", description="Answers requests", tag="http"];
  "user-store" [type="datastore", level="architecture", status="current", description="Keeps users"];
  "api-server" -> "user-store" [relation="uses"];
}
`;

describe('the operations of the seed', () => {
  it('add_node with legal values creates the file and returns a diff', async () => {
    const file = new MemoryGraphFile();
    expect(await knowledgeUpdate(API, file)).toEqual({
      ok: true,
      written: true,
      changes: [expect.stringContaining('api-server')],
      diff: expect.stringContaining(
        '+  "api-server" [type="component", level="architecture", status="current"',
      ),
      faults: [],
      warnings: [],
    });
    expect(file.text).toBe(
      'digraph knowledge {\n  "api-server" [type="component", level="architecture", status="current", description="Answers requests"];\n}\n',
    );
  });

  it('add_node with an illegal value changes nothing and suggests the nearest value', async () => {
    const file = new MemoryGraphFile(GRAPH);
    const result = await knowledgeUpdate(
      { ...API, name: 'x', level: 'application', status: 'planned' },
      file,
    );
    expect(result).toMatchObject({
      ok: false,
      code: 'request.parameters',
      message: expect.stringMatching(/"application".*\barchitecture\b.*"planned".*\bfuture\b/),
    });
    expect(file.writes).toBe(0);
  });

  it('update_node changes the given fields and keeps the others', async () => {
    const file = new MemoryGraphFile(GRAPH);
    const request = {
      operation: 'update_node',
      name: 'api-server',
      status: 'deprecated',
      description: '',
      tag: null,
    };
    expect(await knowledgeUpdate(request, file)).toMatchObject({ ok: true, written: true });
    expect(file.text).toBe(
      GRAPH.replace('status="current", description="A', 'status="deprecated", description="A'),
    );
  });

  it('remove_node also removes its edges', async () => {
    const file = new MemoryGraphFile(GRAPH);
    const result = await knowledgeUpdate({ operation: 'remove_node', name: 'user-store' }, file);
    expect(result).toMatchObject({ ok: true, changes: [expect.stringContaining('user-store')] });
    expect(file.text).toBe(GRAPH.split('\n').toSpliced(2, 2).join('\n'));
  });

  it('add_edge adds a note, and remove_edge removes the edge', async () => {
    const file = new MemoryGraphFile(GRAPH);
    const edge = { from: 'api-server', to: 'user-store', relation: 'calls' };
    await knowledgeUpdate({ operation: 'add_edge', ...edge, note: 'at login "only"' }, file);
    expect(file.text).toContain(
      '"api-server" -> "user-store" [relation="calls", note="at login \\"only\\""];\n',
    );
    await knowledgeUpdate({ operation: 'remove_edge', ...edge }, file);
    expect(file.text).toBe(GRAPH);
  });
});

describe('several operations', () => {
  const both = [
    { ...API, name: 'auth-rule', type: 'rule', priority: 'high' },
    { operation: 'add_edge', from: 'api-server', to: 'auth-rule', relation: 'must_follow' },
  ];

  it('are applied in order', async () => {
    const file = new MemoryGraphFile(GRAPH);
    expect(await knowledgeUpdate({ operations: both }, file)).toMatchObject({ ok: true, written: true });
    expect(file.writes).toBe(1);
  });

  it('are applied all or none [GRAPH-3]', async () => {
    const file = new MemoryGraphFile(GRAPH);
    const operations = [...both, { operation: 'remove_node', name: 'user-stor' }];
    expect(await knowledgeUpdate({ operations }, file)).toMatchObject({
      ok: false,
      code: 'node.unknown',
      message: expect.stringMatching(/\b3\b.*"user-stor"/),
      hint: expect.stringContaining('user-store'),
    });
    expect(file.text).toBe(GRAPH);
  });

  it('may pass through states that would be refused alone', async () => {
    const file = new MemoryGraphFile(GRAPH);
    const operations = [
      { operation: 'update_node', name: 'user-store', type: 'rule' },
      { operation: 'update_node', name: 'user-store', priority: 'low' },
    ];
    expect(await knowledgeUpdate(operations[0], file)).toMatchObject({
      ok: false,
      code: 'graph.worse',
      message: expect.stringMatching(/\buser-store\b.*\bpriority\b/),
    });
    expect(await knowledgeUpdate({ operations }, file)).toMatchObject({ ok: true });
  });
});

describe('a graph with existing faults', () => {
  const broken = GRAPH.replace(
    'level="architecture", status="current", description="K',
    'level="app", description="K',
  );

  it('can be repaired step by step, and the result lists the remaining faults [GRAPH-4]', async () => {
    const file = new MemoryGraphFile(broken);
    const step = await knowledgeUpdate(
      { operation: 'update_node', name: 'user-store', status: 'current' },
      file,
    );
    expect(step.ok && step.faults.map(({ field }) => field)).toEqual(['level']);
    const last = await knowledgeUpdate(
      { operation: 'update_node', name: 'user-store', level: 'architecture' },
      file,
    );
    expect(last).toMatchObject({ ok: true, faults: [] });
  });

  it('can be changed elsewhere, and its faulty node renamed', async () => {
    const file = new MemoryGraphFile(broken);
    const renamed = await knowledgeUpdate(
      { operation: 'rename_node', name: 'user-store', new_name: 'account-store' },
      file,
    );
    expect(renamed.ok && renamed.faults.map(({ node }) => node)).toEqual(['account-store', 'account-store']);
    expect(file.text).toBe(broken.replaceAll('user-store', 'account-store'));
  });

  it('that cannot be read is refused with line and column', async () => {
    const file = new MemoryGraphFile(GRAPH.replace('];', ''));
    expect(await knowledgeUpdate(API, file)).toMatchObject({
      ok: false,
      code: expect.stringMatching(/^dot\./),
      message: expect.stringMatching(/^\.maestro\/knowledge\.dot:3:\d+: /),
    });
    const conflicted = new MemoryGraphFile(`<<<<<<< a\n${GRAPH}=======\n${GRAPH}>>>>>>> b\n`);
    expect(await knowledgeUpdate(API, conflicted)).toMatchObject({ ok: false, code: 'dot.conflict' });
  });
});

describe('an invalid request is answered with the right call', () => {
  it.each([
    ['nothing', undefined, 'request.shape', '{"operation":"add_edge"'],
    ['no operation', {}, 'request.operation', 'add_node, update_node'],
    ['an unknown operation', { operation: 'addnode' }, 'request.operation', 'addnode'],
    ['missing parameters', { operation: 'add_node', name: 'x' }, 'request.parameters', 'name, type, level'],
    ['parameter names of other tools', { operation: 'remove_node', id: 'x' }, 'request.parameters', 'name'],
    [
      'source and target',
      { operation: 'add_edge', source: 'a', target: 'b' },
      'request.parameters',
      'from, to, relation',
    ],
    ['an id that is not kebab-case', { ...API, name: 'ApiServer' }, 'request.parameters', 'api-server'],
    ['a rule without priority', { ...API, name: 'r', type: 'rule' }, 'request.parameters', 'priority'],
    ['an existing node', API, 'node.exists', 'update_node'],
    [
      'a missing node',
      { operation: 'update_node', name: 'api-servr', tag: 'x' },
      'node.unknown',
      'api-server',
    ],
    [
      'nothing to update',
      { operation: 'update_node', name: 'api-server' },
      'request.parameters',
      'update_node',
    ],
    [
      'an unset of a required field',
      { operation: 'update_node', name: 'api-server', unset: ['type'] },
      'request.parameters',
      '"type"',
    ],
    [
      'a field both set and unset',
      { operation: 'update_node', name: 'api-server', tag: 'x', unset: ['tag'] },
      'request.parameters',
      'tag',
    ],
    [
      'an edge to a missing node',
      { operation: 'add_edge', from: 'api-server', to: 'x', relation: 'uses' },
      'node.unknown',
      'add_node',
    ],
    [
      'an existing edge',
      { operation: 'add_edge', from: 'api-server', to: 'user-store', relation: 'uses' },
      'edge.exists',
      'user-store',
    ],
    [
      'a synonym of a relation',
      { operation: 'add_edge', from: 'api-server', to: 'user-store', relation: 'depends on' },
      'request.parameters',
      'uses',
    ],
    [
      'text with a control character',
      { operation: 'update_node', name: 'api-server', tag: 'a\u0000' },
      'request.parameters',
      'tag',
    ],
    [
      'half a surrogate pair',
      { operation: 'update_node', name: 'api-server', tag: '\ud800' },
      'request.parameters',
      'tag',
    ],
    ['a number', { operation: 'update_node', name: 'api-server', tag: 7 }, 'request.parameters', 'tag'],
    ['operations and a single operation', { ...API, operations: [API] }, 'request.shape', 'operations'],
    ['operations that are not a list', { operations: 'x' }, 'request.shape', 'operations'],
    ['too many operations', { operations: Array(201).fill(API) }, 'request.shape', '201'],
    [
      'a prototype for a parameter',
      JSON.parse('{"operation":"remove_node","__proto__":{"name":"api-server"}}'),
      'request.parameters',
      'name',
    ],
  ])('%s', async (_, request, code, named) => {
    const file = new MemoryGraphFile(GRAPH);
    const result = await knowledgeUpdate(request, file);
    expect(result).toMatchObject({ ok: false, code });
    expect(result.ok ? '' : `${result.message} ${result.hint}`).toContain(named);
    expect(file.text).toBe(GRAPH);
  });
});

describe('the file', () => {
  it('is not written by a dry run, which returns the diff', async () => {
    const file = new MemoryGraphFile(GRAPH);
    const request = { operation: 'update_node', name: 'api-server', unset: ['tag'], dry_run: true };
    const result = await knowledgeUpdate(request, file);
    expect(result).toMatchObject({ ok: true, written: false });
    expect(result.ok && result.diff).toContain('-  "api-server" [type="component"');
    expect(file.text).toBe(GRAPH);
  });

  it('is not written if nothing changes', async () => {
    const file = new MemoryGraphFile(GRAPH);
    const request = { operation: 'update_node', name: 'api-server', tag: 'http' };
    expect(await knowledgeUpdate(request, file)).toMatchObject({ ok: true, written: false, diff: '' });
    expect(file.writes).toBe(0);
  });

  it('is read again after a concurrent change, so that no change is lost', async () => {
    const file = new MemoryGraphFile(GRAPH);
    let times = 0;
    file.beforeWrite = () => {
      if (times++ === 0) file.text = GRAPH.replace('Keeps users', 'Keeps accounts');
    };
    expect(await knowledgeUpdate({ ...API, name: 'other' }, file)).toMatchObject({ ok: true, written: true });
    expect(file.text).toContain('Keeps accounts');
    expect(file.text).toContain('"other"');
  });

  it('is left unchanged if it keeps changing', async () => {
    const file = new MemoryGraphFile(GRAPH);
    file.beforeWrite = () => {
      file.text += '// again\n';
    };
    expect(await knowledgeUpdate({ ...API, name: 'other' }, file)).toMatchObject({
      ok: false,
      code: 'graph.changed',
    });
    expect(file.writes).toBe(0);
  });

  it('gets a warning for a path that does not exist in the repository', async () => {
    const file = new MemoryGraphFile(GRAPH);
    file.paths.add('src/api');
    const request = (path: string) => ({ operation: 'update_node', name: 'api-server', path });
    expect(await knowledgeUpdate(request('src/api'), file)).toMatchObject({ ok: true, warnings: [] });
    expect(await knowledgeUpdate(request('src/gone'), file)).toMatchObject({
      ok: true,
      warnings: [{ code: 'node.path', found: 'src/gone' }],
    });
  });
});

it('a project’s schema additions can be used, and appear in the parameters for models', async () => {
  const schema = extendSchema({ types: ['service'], relations: ['publishes'], tags: ['auth'] });
  const file = new MemoryGraphFile();
  expect(await knowledgeUpdate({ ...API, type: 'service', tag: 'auth' }, file, { schema })).toMatchObject({
    ok: true,
  });
  expect(knowledgeUpdateSchema(schema).safeParse({ ...API, type: 'service', tag: 'auth' }).success).toBe(
    true,
  );
  expect(knowledgeUpdateSchema().safeParse({ ...API, type: 'service' }).success).toBe(false);
});
