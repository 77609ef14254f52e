import { instance, type Viz } from '@viz-js/viz';

const viz = await instance();

/** A graph as plain values for comparison, without empty attributes. */
export interface PlainGraph {
  nodes: Record<string, Record<string, string>>;
  edges: { from: string; to: string; attributes: Record<string, string> }[];
  /** Name and nodes of each named subgraph. */
  members: string[][];
}

/** The graph that Graphviz reads; undefined if it rejects the text. */
export function graphvizReads(text: string): PlainGraph | undefined {
  return readBy(viz, text);
}

/** The same with a fresh instance, since rejected texts can break later reads. */
export async function graphvizReadsAfresh(text: string): Promise<PlainGraph | undefined> {
  return readBy(await instance(), text);
}

function readBy(one: Viz, text: string): PlainGraph | undefined {
  // Without layout: only parsing is tested here.
  const result = one.render(text, { format: 'dot_json' });
  if (result.status !== 'success') return undefined;
  return plain(JSON.parse(result.output));
}

interface JsonGraph {
  objects?: ({ _gvid: number; name: string; nodes?: number[]; subgraphs?: number[] } & Record<
    string,
    unknown
  >)[];
  edges?: ({ _gvid: number; tail: number; head: number } & Record<string, unknown>)[];
  _subgraph_cnt: number;
}

const OWN = new Set(['_gvid', 'name', 'label', 'nodes', 'edges', 'subgraphs', 'tail', 'head', 'key']);
const PORTS = new Set(['headport', 'tailport']);

function plain(json: JsonGraph): PlainGraph {
  const objects = json.objects ?? [];
  const names = new Map(objects.map(({ _gvid, name }) => [_gvid, name]));
  const isSubgraph = (index: number) => index < json._subgraph_cnt;
  return {
    nodes: Object.fromEntries(
      objects.filter((_, index) => !isSubgraph(index)).map((node) => [node.name, attributes(node)]),
    ),
    edges: (json.edges ?? []).map((edge) => ({
      from: names.get(edge.tail) ?? '',
      to: names.get(edge.head) ?? '',
      attributes: attributes(edge),
    })),
    members: objects
      .filter(({ name }, index) => isSubgraph(index) && !name.startsWith('%'))
      .map(({ name, nodes }) => [name, ...(nodes ?? []).map((id) => names.get(id) ?? '').sort()]),
  };
}

function attributes(object: Record<string, unknown>): Record<string, string> {
  const entries = Object.entries(object).filter(
    ([name, value]) => !OWN.has(name) && !PORTS.has(name) && value !== '',
  );
  return Object.fromEntries(entries.map(([name, value]) => [name, String(value)]).sort());
}
