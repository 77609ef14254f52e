import { nearestWord } from '../../domain/nearest-word.ts';
import type { Atom } from '../dot/dot-syntax.ts';
import { type ArchitectureGraph, attributeOf } from '../graph/architecture-graph.ts';
import { NODE_FIELDS } from '../schema/knowledge-schema.ts';

/** What others call the same. */
const OTHER_NAMES = new Map([
  ['desc', 'description'],
  ['summary', 'description'],
  ['kind', 'type'],
  ['node_type', 'type'],
  ['state', 'status'],
  ['tags', 'tag'],
  ['file', 'path'],
]);

/** Graphviz's own, which are near to ours by their letters only. */
const DRAWING = new Set([
  'style',
  'shape',
  'label',
  'color',
  'peripheries',
  'pos',
  'group',
  'url',
  'xlabel',
  'target',
]);

/** Attributes whose names are nearly those of fields that their nodes lack. */
export function misnamedFields({ nodes }: ArchitectureGraph): { node: string; from: Atom; to: string }[] {
  return [...nodes.values()].flatMap((node) => {
    const lacking = NODE_FIELDS.filter((field) => attributeOf(node, field) === undefined);
    return [...node.attributes].flatMap(([name, { attribute }]) => {
      if (DRAWING.has(name.toLowerCase()) || NODE_FIELDS.some((field) => field === name)) return [];
      const to = OTHER_NAMES.get(name.toLowerCase()) ?? nearestWord(name, lacking);
      return to !== undefined && lacking.some((field) => field === to)
        ? [{ node: node.id, from: attribute.key, to }]
        : [];
    });
  });
}
