import {
  type Attribute,
  type AttributeList,
  type Body,
  type NodesStatement,
  nameOf,
  type Statement,
  writeAtom,
} from '../dot/dot-syntax.ts';
import type { ArchitectureGraph, ArchitectureNode } from '../graph/architecture-graph.ts';
import type { FileStyle } from './file-style.ts';
import {
  type FieldValues,
  insertStatement,
  nodeAnchor,
  type TextPatch,
  writeAttribute,
  writeNodeStatement,
} from './statement-edits.ts';

/** Where to insert the statement of a node that only edges name: with the other nodes, or after its mention. */
export type NewStatementPlace = 'with-nodes' | 'after-mention';

/** Sets fields of this node only. */
export function setFields(
  graph: ArchitectureGraph,
  node: ArchitectureNode,
  fields: FieldValues,
  style: FileStyle,
  place: NewStatementPlace,
): TextPatch[] {
  const patches: TextPatch[] = [];
  const toAdd = new Map<string, string>();
  let notBefore = 0;
  for (const [name, value] of fields) {
    const origin = node.attributes.get(name);
    if (origin && origin.attribute.value.value === value) continue;
    if (origin && isOwn(origin.statement, node.id))
      patches.push(replaceValue(origin.attribute, value, style));
    else {
      toAdd.set(name, value);
      if (origin?.statement.type === 'nodes') notBefore = Math.max(notBefore, origin.statement.start);
    }
  }
  if (toAdd.size > 0) patches.push(addFields(graph, node, toAdd, style, place, notBefore));
  return patches;
}

/** Whether a statement is about this node only. */
export function isOwn(statement: Statement, id: string): statement is NodesStatement {
  return statement.type === 'nodes' && statement.group.nodes.every((one) => nameOf(one.id) === id);
}

function replaceValue(
  { value: { start, end, form } }: Attribute,
  value: string,
  style: FileStyle,
): TextPatch {
  const written = form === 'name' || form === 'number' ? 'bare' : form === 'quoted' ? 'quoted' : style.values;
  return { start, end, text: writeAtom(value, written) };
}

/** Leaves statements shared with other nodes unchanged and overrides them in a later statement of this node. */
function addFields(
  { text, tree }: ArchitectureGraph,
  node: ArchitectureNode,
  fields: FieldValues,
  style: FileStyle,
  place: NewStatementPlace,
  notBefore: number,
): TextPatch {
  const own = node.mentions
    .map(({ statement }) => statement)
    .findLast((statement) => isOwn(statement, node.id) && statement.start >= notBefore);
  if (own) return extendStatement(text, own, fields, style);
  const written = writeNodeStatement(node.id, fields, style);
  if (!node.declared && place === 'with-nodes') {
    return insertStatement(text, tree.body, nodeAnchor(tree), written, style);
  }
  const last = node.mentions.at(-1);
  const { body, statement } = last ?? { body: tree.body as Body, statement: undefined };
  return insertStatement(text, body, statement, written, style);
}

function extendStatement(
  text: string,
  statement: Statement,
  fields: FieldValues,
  style: FileStyle,
): TextPatch {
  const list = statement.lists.at(-1);
  const { nodeList } = style;
  if (!list) {
    const written = [...fields].map(([name, value]) => writeAttribute(name, value, nodeList, style));
    const added = `${nodeList.before}[${nodeList.open}${written.join(nodeList.between)}${nodeList.close}]`;
    return { start: statement.end, end: statement.end, text: added };
  }
  const last = list.attributes.at(-1);
  const before = list.attributes.at(-2);
  const gap = before && last ? text.slice(before.end, last.start) : nodeList.between;
  const between = /^[\s,;]*$/.test(gap) && /[\s,;]/.test(gap) ? gap : ', ';
  const equals = last ? text.slice(last.key.end, last.value.start) : nodeList.equals;
  const shape = { ...nodeList, equals: /^\s*=\s*$/.test(equals) ? equals : '=' };
  const written = [...fields].map(([name, value]) => writeAttribute(name, value, shape, style)).join(between);
  const at = last?.end ?? list.start + 1;
  return { start: at, end: at, text: last ? between + written : written };
}

/** Removes attributes from a list, with their separators; removes the list if it becomes empty. */
export function removeAttributes(text: string, list: AttributeList, names: ReadonlySet<string>): TextPatch[] {
  const { attributes } = list;
  const kept = attributes.filter(({ key }) => !names.has(key.value));
  if (kept.length === attributes.length) return [];
  if (kept.length === 0) {
    let start = list.start;
    while (text.charAt(start - 1) === ' ' || text.charAt(start - 1) === '\t') start--;
    return [{ start, end: list.end, text: '' }];
  }
  const patches: TextPatch[] = [];
  let keptEnd: number | undefined;
  attributes.forEach((attribute, index) => {
    if (!names.has(attribute.key.value)) {
      keptEnd = attribute.end;
      return;
    }
    const next = attributes[index + 1];
    // Leading attributes are removed with the separator after them, others with the one before.
    if (keptEnd === undefined)
      patches.push({ start: attribute.start, end: next?.start ?? attribute.end, text: '' });
    else {
      patches.push({ start: keptEnd, end: attribute.end, text: '' });
      keptEnd = attribute.end;
    }
  });
  return patches;
}
