import { describe, expect, it } from 'vitest';
import { architectureEntries, changedNodes } from '../../../src/architecture/history/architecture-entries.ts';
import { architectureNode } from '../../../src/domain/entities/architecture-node.ts';

const BY = { changed_by: 'a test', turn: null };
const graph = (body: string) => `digraph knowledge {\n${body}\n}\n`;
const changed = (before: string | undefined, after: string | undefined) =>
  changedNodes({ before, after }, BY);

describe('the changed nodes', () => {
  const before = graph('a [type=component, status=current, tag=x]\nb [type=rule]\na -> b [relation=uses]');

  it('are those added, removed or changed, and the sources of changed edges', () => {
    const after = graph(
      '// moved\nb [type=rule]\nc [type=pattern]\na [tag=x, status=current, type=component]\na -> c [relation=calls, note="by mail"]',
    );
    expect(changed(before, after)).toEqual([
      { node: 'c', present: true, type: 'pattern', status: null, fields: {}, edges: [], ...BY },
      {
        node: 'a',
        present: true,
        type: 'component',
        status: 'current',
        fields: { tag: 'x' },
        edges: ['calls c (by mail)'],
        ...BY,
      },
    ]);
    expect(changed(before, graph('b [type=rule]'))).toMatchObject([{ node: 'a', present: false, edges: [] }]);
    expect(changed(before, undefined)).toHaveLength(2);
  });

  it('are none if only the layout changed, or if a side cannot be read', () => {
    expect(changed(before, `// a remark\n${before}`)).toEqual([]);
    expect(changed(before, 'digraph {')).toEqual([]);
    expect(changed('<<<<<<< ours\n', before)).toEqual([]);
  });

  it('are shortened, and hostile names do no harm', () => {
    const wild = graph(
      `__proto__ [type=component, __proto__="x", constructor="y", description="${'long '.repeat(1000)}"]\n"${'x'.repeat(300)}" [type=rule]`,
    );
    const [node, ...rest] = changed(undefined, wild);
    expect(rest).toEqual([]);
    expect(node?.node).toBe('__proto__');
    expect(Object.keys(node?.fields ?? {})).toEqual(['constructor', 'description']);
    expect(node?.fields.description).toHaveLength(1000);
  });
});

describe('the id of a node in memory', () => {
  const idOf = (node: string) => architectureNode.id?.({ node });

  it('is unique for any name', () => {
    expect(idOf('api')).toBe('NODE-api');
    expect(idOf('OVERVIEW-FEAT-1')).toBe('NODE-OVERVIEW-FEAT-1');
    expect(idOf('Läufer & Co')).toMatch(/^NODE-[0-9a-f]{32}$/);
    expect(idOf('Läufer & Co')).not.toBe(idOf('Läufer'));
  });
});

describe('the ledger entries', () => {
  const entries = (before: string | undefined, after: string, known: boolean) =>
    architectureEntries({ before, after }, BY, { entries: () => (known ? [{} as never] : []) }, 'shop');

  it('contain only the change, but the first time the whole graph', () => {
    const [one, both] = [graph('a [type=rule]'), graph('a [type=rule]\nb [type=rule]')];
    const told = (known: boolean) =>
      entries(one, both, known).flatMap(({ body }) => body.nodes.map(({ node }) => node));
    expect(told(true)).toEqual(['b']);
    expect(told(false)).toEqual(['a', 'b']);
    expect(entries(one, one, false)).toEqual([]);
  });

  it('stay below the size limit of the ledger', () => {
    const many = Array.from({ length: 2000 }, (_, at) => `n${at} [description="${'x'.repeat(900)}"]`);
    const told = entries(undefined, graph(many.join('\n')), true);
    expect(told.length).toBeGreaterThan(4);
    expect(told.flatMap(({ body }) => body.nodes)).toHaveLength(2000);
    for (const { body } of told) expect(JSON.stringify(body).length).toBeLessThan(500_000);
  });
});
