import { type Atom, type Body, type NodeGroup, nameOf, writeAtom } from '../dot/dot-syntax.ts';
import { type ArchitectureGraph, attributeOf } from '../graph/architecture-graph.ts';
import type { GraphDifference, NodeChange } from '../graph/graph-difference.ts';
import { readGraph } from '../graph/read-graph.ts';
import { dropParts } from './drop-parts.ts';
import { type FileStyle, fileStyle } from './file-style.ts';
import { isOwn, type NewStatementPlace, removeAttributes, setFields } from './node-fields.ts';
import { findNode, type PlannedEdit, refusal } from './operation.ts';
import {
  applyPatches,
  type FieldValues,
  insertStatement,
  nodeAnchor,
  type TextPatch,
  writeNodeStatement,
} from './statement-edits.ts';

export function planAddNode(graph: ArchitectureGraph, name: string, fields: FieldValues): PlannedEdit {
  const known = graph.nodes.get(name);
  if (known?.declared) {
    const hint = 'Change it with update_node, or choose another name.';
    return refusal('node.exists', `Node "${name}" already exists.`, hint);
  }
  const { text, tree } = graph;
  const style = fileStyle(graph);
  const written = writeNodeStatement(name, fields, style);
  const insertAfter = (after: ReturnType<typeof nodeAnchor>) => () =>
    applyPatches(text, [insertStatement(text, tree.body, after, written, style)]);
  return {
    ok: true,
    summary: `added node ${name}`,
    attempts: [insertAfter(nodeAnchor(tree)), insertAfter(tree.body.statements.at(-1))],
    isExpected: ({ added, removed, changed, addedEdges, removedEdges }) => {
      const others = added.length + removed.length + changed.length + addedEdges.length + removedEdges.length;
      const [node] = added;
      const isSo = ([field, value]: readonly [string, string]) =>
        (known ? changed[0]?.fields.get(field)?.after : node && attributeOf(node, field)) === value;
      return others === 1 && (known ? changed[0] : node)?.id === name && [...fields].every(isSo);
    },
  };
}

export function planUpdateNode(
  graph: ArchitectureGraph,
  name: string,
  fields: FieldValues,
  unset: readonly string[],
): PlannedEdit {
  const found = findNode(graph, name, 'Add it with add_node.');
  if (!found.ok) return found;
  const wanted = new Map<string, string>([...fields, ...unset.map((field) => [field, ''] as const)]);
  const set = (place: NewStatementPlace, values: FieldValues) =>
    applyPatches(graph.text, setFields(graph, found.node, values, fileStyle(graph), place));
  const changes = [
    ...(fields.size > 0 ? [`set ${[...fields.keys()].join(', ')}`] : []),
    ...(unset.length > 0 ? [`unset ${unset.join(', ')}`] : []),
  ];
  return {
    ok: true,
    summary: `updated node ${name}: ${changes.join('; ')}`,
    attempts: [
      () => unsetIn(set('with-nodes', fields), name, unset),
      () => unsetIn(set('after-mention', fields), name, unset),
      () => set('with-nodes', wanted),
      () => set('after-mention', wanted),
    ],
    isExpected: (difference) =>
      isOnly(difference, name) && hasValues(difference.changed[0], graph, name, wanted),
  };
}

function isOnly(
  { added, removed, changed, addedEdges, removedEdges }: GraphDifference,
  name: string,
): boolean {
  const others = added.length + removed.length + addedEdges.length + removedEdges.length;
  return others === 0 && changed.every(({ id, moved }) => id === name && !moved);
}

/** Whether the node has all the wanted values and no other field changed. */
function hasValues(
  change: NodeChange | undefined,
  { nodes }: ArchitectureGraph,
  name: string,
  wanted: FieldValues,
): boolean {
  const before = nodes.get(name)?.attributes;
  for (const [field, value] of wanted) {
    const changed = change?.fields.get(field);
    const now = changed ? changed.after : before?.get(field)?.attribute.value.value || undefined;
    if (now !== (value || undefined)) return false;
  }
  return [...(change?.fields.keys() ?? [])].every((field) => wanted.has(field));
}

function unsetIn(text: string, name: string, unset: readonly string[]): string {
  if (unset.length === 0) return text;
  const read = readGraph(text);
  const node = read.ok ? read.graph.nodes.get(name) : undefined;
  const names = new Set(unset);
  const statements = new Set(node?.mentions.map(({ statement }) => statement));
  const own = [...statements].filter((statement) => isOwn(statement, name));
  return applyPatches(
    text,
    own.flatMap(({ lists }) => lists.flatMap((list) => removeAttributes(text, list, names))),
  );
}

export function planRemoveNode(graph: ArchitectureGraph, name: string): PlannedEdit {
  const found = findNode(graph, name, 'Nothing to remove.');
  if (!found.ok) return found;
  const edges = graph.edges.filter(({ from, to }) => from === name || to === name);
  const drop = (keepNamed: (id: string) => boolean) => () =>
    applyPatches(graph.text, dropParts(graph, { node: name }, { style: fileStyle(graph), keepNamed }));
  return {
    ok: true,
    summary: `removed node ${name}${edges.length > 0 ? ` and its ${edges.length === 1 ? 'edge' : `${edges.length} edges`}` : ''}`,
    attempts: [drop(() => false), drop((id) => graph.nodes.get(id)?.declared ?? false)],
    isExpected: ({ added, removed, changed, addedEdges, removedEdges }) =>
      added.length + changed.length + addedEdges.length === 0 &&
      removed.some(({ id }) => id === name) &&
      removed.every(({ id, declared }) => id === name || !declared) &&
      removedEdges.length === edges.length,
  };
}

export function planRenameNode(graph: ArchitectureGraph, name: string, newName: string): PlannedEdit {
  const found = findNode(graph, name, 'Add it with add_node.');
  if (!found.ok) return found;
  if (graph.nodes.has(newName)) {
    const hint = 'Choose another new_name, or remove one of the two nodes.';
    return refusal('node.exists', `Node "${newName}" already exists.`, hint);
  }
  const members = [...graph.nodes.values()].filter(
    ({ attributes }) => attributes.get('component')?.attribute.value.value === name,
  );
  return {
    ok: true,
    summary: `renamed node ${name} to ${newName}`,
    attempts: [() => applyPatches(graph.text, renameReferences(graph, name, newName, fileStyle(graph)))],
    renamed: { from: name, to: newName },
    isExpected: ({ added, removed, changed, addedEdges, removedEdges }) =>
      added.length + removed.length + addedEdges.length + removedEdges.length === 0 &&
      changed.length === members.length &&
      changed.every(({ fields, moved, declared }) => {
        const component = fields.get('component');
        const isSame = !moved && declared.before === declared.after && fields.size === 1;
        return isSame && component?.before === name && component.after === newName;
      }),
  };
}

/** Patches every mention of the node and every `component` that refers to it. */
function renameReferences(
  { tree }: ArchitectureGraph,
  from: string,
  to: string,
  style: FileStyle,
): TextPatch[] {
  const patches: TextPatch[] = [];
  const replace = (atom: Atom) => {
    if (nameOf(atom) !== from) return;
    const { start, end, form } = atom;
    const written = form === 'name' || form === 'number' ? 'bare' : form === 'quoted' ? 'quoted' : style.ids;
    patches.push({ start, end, text: writeAtom(to, written) });
  };
  const visitGroup = ({ nodes }: NodeGroup) => {
    for (const { id } of nodes) replace(id);
  };
  const visitBody = ({ statements }: Body) => {
    for (const statement of statements) {
      if (statement.type === 'subgraph') visitBody(statement.subgraph.body);
      if (statement.type === 'nodes') visitGroup(statement.group);
      if (statement.type === 'edge') {
        for (const end of statement.ends) {
          if (end.type === 'group') visitGroup(end);
          else visitBody(end.body);
        }
      }
      if (statement.type !== 'nodes' && !(statement.type === 'defaults' && statement.of === 'node')) continue;
      for (const { attributes } of statement.lists) {
        for (const { key, value } of attributes) if (key.value === 'component') replace(value);
      }
    }
  };
  visitBody(tree.body);
  return patches;
}
