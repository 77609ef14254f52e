import { GuardKitError } from '../../guardkit-error.ts';
import type { ArchitectureGraph } from '../graph/architecture-graph.ts';
import { type PictureOptions, writePicture } from './write-picture.ts';

export type PictureFormat = 'svg' | 'dot';

/** The layout of more takes minutes, and the picture is unreadable. */
export const MAX_PICTURE_NODES = 1000;

/** Draws the graph with Graphviz, or returns the DOT source of the picture. */
export async function renderGraph(
  graph: ArchitectureGraph,
  format: PictureFormat,
  options: PictureOptions = {},
): Promise<string> {
  const source = writePicture(graph, options);
  if (format === 'dot') return source;
  const count = options.only?.size ?? graph.nodes.size;
  if (count > MAX_PICTURE_NODES) {
    throw new GuardKitError({
      code: 'render.too-large',
      kind: 'refused',
      message: `The graph has ${count} nodes; at most ${MAX_PICTURE_NODES} can be drawn.`,
      hint: 'Draw a part of it: `guardkit knowledge render --around NODE --depth 2`.',
    });
  }
  const viz = await loadViz();
  const result = viz.render(source, { format: 'svg', engine: 'dot' });
  if (result.status === 'success') return result.output;
  throw new GuardKitError({
    code: 'render.failed',
    kind: 'outside',
    message: `Graphviz could not draw the graph: ${result.errors.map(({ message }) => message).join('; ')}`,
    hint: 'Print the source of the picture with `--format dot`.',
  });
}

type VizModule = Pick<typeof import('@viz-js/viz'), 'instance'>;

/** Provided by the built program, which is a script without dynamic `import()`. */
declare const __import: ((name: string) => Promise<VizModule>) | undefined;

/** Loads Graphviz on demand, since it is large. */
export async function loadViz(): ReturnType<VizModule['instance']> {
  const { instance } =
    typeof __import === 'undefined' ? await import('@viz-js/viz') : await __import('@viz-js/viz');
  return instance();
}
