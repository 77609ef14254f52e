import { GuardKitError } from '../../guardkit-error.ts';
import type { ArchitectureGraph } from '../graph/architecture-graph.ts';
import { type PictureOptions, writePicture } from './write-picture.ts';

export type PictureFormat = 'svg' | 'dot';

/** Laying out more takes minutes, and nobody could read it. */
export const MAX_PICTURE_NODES = 1000;

/** A picture of the graph, drawn by Graphviz, or what it would draw. */
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
      message: `A picture of ${count} nodes cannot be laid out; at most ${MAX_PICTURE_NODES} can.`,
      hint: 'Show a part of it: `guardkit knowledge render --around NODE --depth 2`.',
    });
  }
  const viz = await loadViz();
  const result = viz.render(source, { format: 'svg', engine: 'dot' });
  if (result.status === 'success') return result.output;
  throw new GuardKitError({
    code: 'render.failed',
    kind: 'outside',
    message: `Graphviz could not draw the graph: ${result.errors.map(({ message }) => message).join('; ')}`,
    hint: '`--format dot` gives what it was to draw.',
  });
}

type VizModule = Pick<typeof import('@viz-js/viz'), 'instance'>;

/** Handed to the built program, which is a script and cannot import by itself. */
declare const __import: ((name: string) => Promise<VizModule>) | undefined;

/** Graphviz, when a picture is asked for: it is large. */
export async function loadViz(): ReturnType<VizModule['instance']> {
  const { instance } =
    typeof __import === 'undefined' ? await import('@viz-js/viz') : await __import('@viz-js/viz');
  return instance();
}
