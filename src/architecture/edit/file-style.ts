import { type Atom, type AttributeList, type Body, canBeBare, type Statement } from '../dot/dot-syntax.ts';
import type { ArchitectureGraph } from '../graph/architecture-graph.ts';

/** The layout of an attribute list: the text around its brackets and between its attributes. */
export interface ListStyle {
  before: string;
  open: string;
  equals: string;
  between: string;
  close: string;
}

/** The formatting of a file, which new statements follow. */
export interface FileStyle {
  newline: string;
  indent: string;
  semicolons: boolean;
  ids: 'bare' | 'quoted';
  values: 'bare' | 'quoted';
  arrow: string;
  nodeList: ListStyle;
  edgeList: ListStyle;
}

const DEFAULT_LIST: ListStyle = { before: ' ', open: '', equals: '=', between: ', ', close: '' };

export function fileStyle({ text, tree }: Pick<ArchitectureGraph, 'text' | 'tree'>): FileStyle {
  const statements = allStatements(tree.body);
  const newline = /\r?\n/.exec(text)?.[0] ?? '\n';
  const nodes = statements.filter((one) => one.type === 'nodes');
  const edges = statements.filter((one) => one.type === 'edge');
  const references = nodes.flatMap(({ group }) => group.nodes.map(({ id }) => id));
  const ends = edges.flatMap((one) =>
    one.ends.flatMap((end) => (end.type === 'group' ? end.nodes.map(({ id }) => id) : [])),
  );
  const defaults = statements.filter((one) => one.type === 'defaults');
  const attributes = [...nodes, ...edges, ...defaults].flatMap(({ lists }) =>
    lists.flatMap((list) => list.attributes),
  );
  const nodeList = sampleList(text, nodes);
  return {
    newline,
    indent: indentOf(text, tree.body) ?? '  ',
    semicolons: statements.length === 0 || isMost(statements, ({ semicolon }) => semicolon !== -1),
    ids: atomStyle([...references, ...ends]),
    values: atomStyle(attributes.map(({ value }) => value)),
    arrow: arrowStyle(text, edges) ?? (tree.directed ? ' -> ' : ' -- '),
    nodeList: nodeList ?? DEFAULT_LIST,
    edgeList: sampleList(text, edges, 1) ?? DEFAULT_LIST,
  };
}

/** A part of a large file is enough to see its formatting. */
const SAMPLE = 400;

function allStatements(body: Body): Statement[] {
  const found: Statement[] = [];
  const visit = ({ statements }: Body) => {
    for (const statement of statements.slice(-SAMPLE)) {
      found.push(statement);
      if (statement.type === 'subgraph') visit(statement.subgraph.body);
    }
  };
  visit(body);
  return found;
}

/** Indentation of the first statement that starts a line. */
function indentOf(text: string, { statements }: Body): string | undefined {
  for (const { start } of statements.slice(0, SAMPLE)) {
    const indent = indentAt(text, start);
    if (indent !== undefined) return indent;
  }
  return undefined;
}

/** The indentation before an offset; undefined if other text precedes it on its line, or it is on the first line. */
export function indentAt(text: string, offset: number): string | undefined {
  let start = offset;
  while (text.charAt(start - 1) === ' ' || text.charAt(start - 1) === '\t') start--;
  return text.charAt(start - 1) === '\n' ? text.slice(start, offset) : undefined;
}

/** Ignores texts that need quotes in any case. */
function atomStyle(atoms: readonly Atom[]): 'bare' | 'quoted' {
  const optional = atoms.filter(({ value }) => canBeBare(value));
  return optional.length > 0 && isMost(optional, ({ form }) => form === 'name' || form === 'number')
    ? 'bare'
    : 'quoted';
}

function arrowStyle(
  text: string,
  edges: readonly Extract<Statement, { type: 'edge' }>[],
): string | undefined {
  for (const { ends } of edges.toReversed()) {
    const arrow = text.slice(ends[0]?.end, ends[1]?.start);
    if (/^[ \t]*-[->][ \t]*$/.test(arrow)) return arrow;
  }
  return undefined;
}

/** The layout of the last list with several attributes and no comments between them. */
function sampleList(text: string, statements: readonly Statement[], atLeast = 2): ListStyle | undefined {
  for (const statement of statements.toReversed()) {
    const [list] = statement.lists;
    const style = list && list.attributes.length >= atLeast ? listStyle(text, statement, list) : undefined;
    if (style) return style;
  }
  return atLeast > 1 ? sampleList(text, statements, 1) : undefined;
}

function listStyle(text: string, statement: Statement, list: AttributeList): ListStyle | undefined {
  const [first, second] = list.attributes;
  const last = list.attributes.at(-1);
  if (!first || !last) return undefined;
  const style = {
    before: gapBefore(text, statement, list),
    open: text.slice(list.start + 1, first.start),
    equals: text.slice(first.key.end, first.value.start),
    between: second ? text.slice(first.end, second.start) : DEFAULT_LIST.between,
    close: text.slice(last.end, list.end - 1),
  };
  const clean = Object.values(style).every((gap) => /^[\s,;=]*$/.test(gap));
  return clean ? style : undefined;
}

function gapBefore(text: string, { start }: Statement, list: AttributeList): string {
  let at = list.start;
  while (at > start && /\s/.test(text.charAt(at - 1))) at--;
  return text.slice(at, list.start);
}

function isMost<Item>(items: readonly Item[], test: (item: Item) => boolean): boolean {
  return items.filter(test).length * 2 >= items.length;
}
