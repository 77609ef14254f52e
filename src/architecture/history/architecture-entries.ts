import type { ArchitectureNodeEpisode } from '../../domain/entities/architecture-node.ts';
import { canonicalJson } from '../../domain/json/json.ts';
import type { ArchitectureRecorded } from '../../store/ledger/kinds/memory/architecture-recorded.ts';
import type { Ledger } from '../../store/ledger/ledger.ts';
import {
  type ArchitectureEdge,
  type ArchitectureGraph,
  type ArchitectureNode,
  attributeOf,
} from '../graph/architecture-graph.ts';
import { readGraph } from '../graph/read-graph.ts';
import type { GraphChange } from '../validation/judge-change.ts';

/** An entry may have at most a megabyte, and scrubbing secrets can make it longer. */
const LONGEST_ENTRY = 400_000;
/** The size that graphs are designed for; further nodes are only in the file. */
const MOST_NODES = 5000;

export interface ArchitectureEntry {
  kind: 'architecture_recorded';
  body: ArchitectureRecorded;
}

/** The ledger entries for a change of the graph; the first time with all nodes, so that memory is complete. */
export function architectureEntries(
  { before, after }: GraphChange,
  by: Pick<ArchitectureNodeEpisode, 'changed_by' | 'turn'>,
  ledger: Pick<Ledger, 'entries'>,
  project: string,
): ArchitectureEntry[] {
  if (before === after) return [];
  const isFirst = ledger.entries(project, { kind: 'architecture_recorded', limit: 1 }).length === 0;
  const nodes = changedNodes({ before: isFirst ? undefined : before, after }, by).slice(0, MOST_NODES);
  const entries: ArchitectureEntry[] = [];
  let room = 0;
  for (const node of nodes) {
    const length = JSON.stringify(node).length;
    if (length > room) {
      entries.push({ kind: 'architecture_recorded', body: { nodes: [] } });
      room = LONGEST_ENTRY;
    }
    entries.at(-1)?.body.nodes.push(node);
    room -= length;
  }
  return entries;
}

/** Limits per node in memory, since a graph is untrusted text. */
const LONGEST_NODE = 256;
const LONGEST_VALUE = 1000;
const MOST_FIELDS = 30;
const MOST_EDGES = 60;
const LONGEST_EDGE = 300;
const FIELD_NAME = /^[A-Za-z][A-Za-z0-9_-]{0,39}$/;

type Changer = Pick<ArchitectureNodeEpisode, 'changed_by' | 'turn'>;

/** Nodes that a change added, changed or removed, in their new state. Empty if either graph cannot be read. */
export function changedNodes({ before, after }: GraphChange, changer: Changer): ArchitectureNodeEpisode[] {
  const was = describeNodes(before, changer);
  const is = describeNodes(after, changer);
  if (!was || !is) return [];
  const changed: ArchitectureNodeEpisode[] = [];
  for (const [id, node] of is) {
    const old = was.get(id);
    if (!old || canonicalJson(old) !== canonicalJson(node)) changed.push(node);
  }
  for (const [id, node] of was) if (!is.has(id)) changed.push({ ...node, present: false, edges: [] });
  return changed;
}

function describeNodes(
  text: string | undefined,
  changer: Changer,
): Map<string, ArchitectureNodeEpisode> | undefined {
  if (text === undefined || text.trim() === '') return new Map();
  const read = readGraph(text);
  if (!read.ok) return undefined;
  const edges = edgesByNode(read.graph);
  const nodes = [...read.graph.nodes.values()].filter(
    ({ id, declared }) => declared && id !== '' && id.length <= LONGEST_NODE,
  );
  return new Map(nodes.map((node) => [node.id, describe(node, edges.get(node.id) ?? [], changer)]));
}

function edgesByNode({ edges }: ArchitectureGraph): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const edge of edges) {
    const known = found.get(edge.from) ?? [];
    if (known.length < MOST_EDGES) known.push(edgeText(edge));
    found.set(edge.from, known);
  }
  return found;
}

function edgeText(edge: ArchitectureEdge): string {
  const note = attributeOf(edge, 'note');
  const text = `${attributeOf(edge, 'relation') ?? 'is related to'} ${edge.to}${note ? ` (${note})` : ''}`;
  return cut(text, LONGEST_EDGE);
}

function describe(
  node: ArchitectureNode,
  edges: readonly string[],
  changer: Changer,
): ArchitectureNodeEpisode {
  const value = (name: string) => cut(attributeOf(node, name) ?? '', LONGEST_VALUE);
  const names = [...node.attributes.keys()]
    .filter((name) => FIELD_NAME.test(name) && name !== 'type' && name !== 'status' && value(name) !== '')
    .slice(0, MOST_FIELDS);
  return {
    node: node.id.toWellFormed(),
    present: true,
    type: value('type') || null,
    status: value('status') || null,
    fields: Object.fromEntries(names.map((name) => [name, value(name)])),
    // Sorted, since their order in the file has no meaning.
    edges: [...edges].sort(),
    ...changer,
  };
}

function cut(text: string, most: number): string {
  const whole = text.toWellFormed().replaceAll('\0', '');
  return whole.length <= most ? whole : `${whole.slice(0, most - 1).toWellFormed()}…`;
}
