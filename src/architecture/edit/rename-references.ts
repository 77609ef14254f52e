import { nameOf } from '../dot/atom-name.ts';
import type { Atom, Body, NodeGroup } from '../dot/dot-syntax.ts';
import { writeAtom } from '../dot/write-atom.ts';
import type { ArchitectureGraph } from '../graph/architecture-graph.ts';
import type { FileStyle } from './file-style.ts';
import type { TextPatch } from './text-patch.ts';

/** Every place that names the node, and every `component` that means it. */
export function renameReferences(
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
