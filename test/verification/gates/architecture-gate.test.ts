import { describe, expect, it } from 'vitest';
import { extendSchema } from '../../../src/architecture/schema/knowledge-schema.ts';
import { architectureGate } from '../../../src/verification/gates/architecture-gate.ts';
import { someFacts } from './facts-fixture.ts';

const node = (id: string, { type = 'component', status = 'current' } = {}) =>
  `  "${id}" [type="${type}", level="architecture", status="${status}", description="the ${id}"];\n`;
const graph = (...parts: string[]) => `digraph knowledge {\n${parts.join('')}}\n`;

function judge(before: string | undefined, after: string | undefined, schema = extendSchema()) {
  const architecture = {
    read: true,
    change: { before, after },
    schema,
    missingPaths: new Set<string>(),
  } as const;
  return architectureGate.judge(someFacts({ architecture }));
}

describe('[VERIFY-9] the architecture gate', () => {
  it('is skipped, with a reason, without a graph or a change of it', () => {
    expect(judge(undefined, undefined)).toMatchObject({
      result: 'absent',
      required: false,
    });
    const broken = graph(node('api', { status: 'active' }));
    expect(judge(broken, broken)).toMatchObject({
      result: 'absent',
      required: false,
    });
  });

  it('passes a changed graph without faults', () => {
    expect(judge(graph(node('api')), graph(node('api'), node('db', { type: 'datastore' })))).toMatchObject({
      result: 'pass',
      required: true,
      warnings: [],
    });
    expect(judge(undefined, graph(node('api'))).result).toBe('pass');
  });

  it('fails for a new fault, with its place, the value found and a suggestion', () => {
    const { result, required, reason } = judge(
      graph(node('api')),
      graph(node('api'), node('db', { status: 'active' })),
    );
    expect({ result, required }).toEqual({ result: 'fail', required: true });
    expect(reason).toMatch(/\.maestro\/knowledge\.dot:3:\d+: .*active.*current/);
  });

  it('fails for an unreadable graph, also with conflict markers', () => {
    expect(judge(graph(node('api')), 'digraph knowledge {\n  api [\n').reason).toMatch(
      /\.maestro\/knowledge\.dot:\d+:\d+: /,
    );
    const conflict = graph(
      `<<<<<<< ours\n${node('api')}=======\n${node('api', { type: 'pattern' })}>>>>>>> theirs\n`,
    );
    expect(judge(graph(node('api')), conflict)).toMatchObject({
      result: 'fail',
      reason: expect.stringContaining('conflict'),
    });
  });

  it('fails where the change deletes the graph', () => {
    expect(judge(graph(node('api')), undefined)).toMatchObject({
      result: 'fail',
      required: true,
    });
  });

  it('does not blame a change for faults of the base, and reports that they remain', () => {
    const bad = node('old', { status: 'active' });
    expect(judge(graph(bad), graph(bad, node('api')))).toMatchObject({
      result: 'pass',
      warnings: [expect.stringMatching(/\b1\b/)],
    });
  });

  it('accepts types that the base’s configuration adds', () => {
    const after = graph(node('jobs', { type: 'queue' }));
    expect(judge(undefined, after).result).toBe('fail');
    expect(judge(undefined, after, extendSchema({ types: ['queue'] })).result).toBe('pass');
  });

  it('lists as many faults as fit, and the number of the rest', () => {
    const bad = Array.from({ length: 40 }, (_, at) => node(`part-${at}`, { status: 'active' }));
    const { reason } = judge(undefined, graph(...bad));
    expect(reason.length).toBeLessThan(600);
    expect(reason).toMatch(/\b\d+\b.*`guardkit knowledge validate --changed`/);
  });

  it('fails for invalid UTF-8', () => {
    const damaged = graph(node('api').replace('the api', 'the \uFFFD'));
    expect(judge(graph(node('api')), damaged)).toMatchObject({
      result: 'fail',
      reason: expect.stringContaining('UTF-8'),
    });
  });

  it('is absent and required if git cannot read the graph, and fails if the change makes it a link', () => {
    const because = (by: 'git' | 'candidate') =>
      architectureGate.judge(someFacts({ architecture: { read: false, because: by, why: 'why' } }));
    expect(because('git')).toEqual({ result: 'absent', required: true, reason: 'why' });
    expect(because('candidate')).toEqual({ result: 'fail', required: true, reason: 'why' });
  });
});
