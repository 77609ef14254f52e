import type { Atom } from './dot-syntax.ts';

/** What a node or a subgraph is called: to Graphviz `<a>` is another name than `a`. */
export function nameOf({ form, value }: Atom): string {
  return form === 'html' ? `<${value}>` : value;
}
