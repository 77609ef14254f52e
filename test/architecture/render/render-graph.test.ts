import { describe, expect, it } from 'vitest';
import type { ArchitectureGraph } from '../../../src/architecture/graph/architecture-graph.ts';
import { readGraph } from '../../../src/architecture/graph/read-graph.ts';
import { renderGraph } from '../../../src/architecture/render/render-graph.ts';
import { writePicture } from '../../../src/architecture/render/write-picture.ts';
import { graphvizReads } from '../dot/graphviz.ts';

function graph(text: string): ArchitectureGraph {
  const read = readGraph(text);
  if (!read.ok) throw new Error(read.fault.message);
  return read.graph;
}

describe('a picture', () => {
  it('has a colour per type, faded deprecated nodes, and a legend', async () => {
    const svg = await renderGraph(
      graph('digraph { a [type=component]; b [type=rule status=deprecated]; a -> b [relation=must_follow] }'),
      'svg',
    );
    expect(svg).toContain('<svg');
    expect(svg).toContain('#dbeafe');
    expect(svg).toContain('(deprecated)');
    expect(svg).toContain('Legend');
    expect(svg).toContain('must_follow');
  });

  it('shows 200 nodes, without labels on hundreds of edges', async () => {
    const nodes = Array.from(
      { length: 200 },
      (_, index) => `n${index} [type=component component=n${index % 10}];`,
    );
    const edges = Array.from(
      { length: 300 },
      (_, index) => `n${index % 200} -> n${(index * 7) % 200} [relation=uses];`,
    );
    const svg = await renderGraph(graph(`digraph { ${nodes.join('')} ${edges.join('')} }`), 'svg');
    expect(svg.match(/class="node"/g)).toHaveLength(201);
    expect(svg.match(/>uses</g)).toHaveLength(1);
  });

  it('cannot be broken by values in the file', async () => {
    const hostile = graph(
      'digraph { "a\\"] b [label=x]; //\\\\" [type="</table>><script>" description="\\N \\"]}" URL="javascript:alert(1)"]; b -> c }',
    );
    expect(graphvizReads(writePicture(hostile))?.edges).toHaveLength(1);
    const svg = await renderGraph(hostile, 'svg');
    expect(svg).not.toContain('<script>');
    expect(svg).not.toContain('javascript:');
  });

  it('of a part contains only that part', () => {
    const text = writePicture(graph('digraph { a -> b -> c }'), { only: new Set(['a', 'b']) });
    expect(text.match(/->/g)).toHaveLength(1);
  });

  it('of too many nodes is refused', async () => {
    const many = graph(`digraph { ${Array.from({ length: 1001 }, (_, index) => `n${index}`).join(' ')} }`);
    await expect(renderGraph(many, 'svg')).rejects.toMatchObject({ code: 'render.too-large' });
  });
});
