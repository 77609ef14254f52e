type VizModule = Pick<typeof import('@viz-js/viz'), 'instance'>;

/** Handed to the built program, which is a script and cannot import by itself. */
declare const __import: ((name: string) => Promise<VizModule>) | undefined;

/** Graphviz, when a picture is asked for: it is large. */
export async function loadViz(): ReturnType<VizModule['instance']> {
  const { instance } =
    typeof __import === 'undefined' ? await import('@viz-js/viz') : await __import('@viz-js/viz');
  return instance();
}
