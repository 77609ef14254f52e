// The only file that imports the parser, and loaded only where there is something to read: most commands run
// without it. A dynamic import of the package itself would lose its named exports in the bundle.
import {
  type Document,
  isAlias,
  isMap,
  isNode,
  isScalar,
  LineCounter,
  type Node,
  parseDocument,
  type Scalar,
  visit,
  type YAMLError,
  type YAMLMap,
} from 'yaml';

export interface Place {
  line: number;
  column: number;
}

export interface YamlFault extends Place {
  /** Tells kinds of faults apart, however their messages are worded. */
  code: string;
  message: string;
}

export interface ParsedYaml {
  /** Undefined where there are faults, and for a file of comments. */
  value: unknown;
  faults: YamlFault[];
  /** Where the value at a path begins, or the nearest thing on the way to it that the text has. */
  placeOf(path: readonly PropertyKey[]): Place;
  /** Where the last key of a path stands. */
  placeOfKey(path: readonly PropertyKey[]): Place;
}

/** How often aliases may be expanded in all; a file with more is made to fill the memory of whoever reads it. */
const MAX_EXPANSIONS = 50;

/** How many aliases a file may have: each one is looked for among all of them. */
const MAX_ALIASES = 1000;

/** Reads YAML with the place of everything in it. */
export function parseYaml(text: string): ParsedYaml {
  const lines = new LineCounter();
  const document = parseDocument(text, {
    lineCounter: lines,
    // Looked for here, since the parser compares every key with every other one.
    uniqueKeys: false,
    prettyErrors: false,
    // Its warnings would go to the terminal by themselves.
    logLevel: 'error',
  });
  const place = (offset: number): Place => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(1, line), column: Math.max(1, col) };
  };
  const faults: YamlFault[] = [
    ...firstOfExhaustion(document.errors).map(({ code, message, pos }) => ({
      ...place(pos[0]),
      ...(PARSER_FAULTS[code] ?? { code: 'syntax', message: firstLine(message) }),
    })),
    ...nodeFaults(document).map(({ node, ...fault }) => ({ ...place(node.range?.[0] ?? 0), ...fault })),
  ];
  const placeOf = (path: readonly PropertyKey[]) => place(offsetOf(document, path));
  const value = faults.length > 0 ? undefined : toValue(document, faults);
  return {
    value,
    faults,
    placeOf,
    placeOfKey: (path) => {
      const parent = path.length === 1 ? document.contents : document.getIn(path.slice(0, -1), true);
      const pair =
        isMap(parent) && parent.items.find(({ key }) => isScalar(key) && keyText(key) === path.at(-1));
      return pair && isNode(pair.key) && pair.key.range ? place(pair.key.range[0]) : placeOf(path);
    },
  };
}

const PARSER_FAULTS: Readonly<Record<string, Omit<YamlFault, keyof Place>>> = {
  MULTIPLE_DOCS: { code: 'several-documents', message: 'a second document begins here; one is expected' },
  RESOURCE_EXHAUSTION: { code: 'too-deep', message: 'this is nested too deeply' },
};

/** A stack that is nearly full is met again by whoever handles the first meeting: one nesting, told once. */
function firstOfExhaustion(errors: readonly YAMLError[]): YAMLError[] {
  const first = errors.find(({ code }) => code === 'RESOURCE_EXHAUSTION');
  return errors.filter((error) => error.code !== 'RESOURCE_EXHAUSTION' || error === first);
}

interface NodeFault {
  node: Node;
  code: string;
  message: string;
}

/** What the parser lets pass, or would throw later and without its place. */
function nodeFaults(document: Document): NodeFault[] {
  const faults: NodeFault[] = [];
  const marked = new Map<string, Node>();
  let aliases = 0;
  visit(document, (_key, node, path) => {
    if (isMap(node)) faults.push(...keyFaults(node));
    if (isAlias(node)) {
      aliases++;
      const target = marked.get(node.source);
      if (!target)
        faults.push({ node, code: 'unknown-alias', message: `nothing above is marked &${node.source}` });
      else if (path.includes(target))
        faults.push({ node, code: 'alias-cycle', message: `&${node.source} would hold itself` });
      if (aliases > MAX_ALIASES) {
        faults.push({
          node,
          code: 'too-many-aliases',
          message: `there are more than ${MAX_ALIASES} aliases`,
        });
        return visit.BREAK;
      }
    } else if (isNode(node) && 'anchor' in node && typeof node.anchor === 'string') {
      marked.set(node.anchor, node);
    }
    return undefined;
  });
  return faults;
}

function keyFaults(map: YAMLMap): NodeFault[] {
  const seen = new Set<string>();
  const faults: NodeFault[] = [];
  for (const { key } of map.items) {
    if (!isScalar(key)) continue;
    const text = keyText(key);
    if (seen.has(text)) faults.push({ node: key, code: 'duplicate-key', message: 'Map keys must be unique' });
    seen.add(text);
  }
  return faults;
}

/** As it stands in the value, where a key that is a number or a word such as true is text. */
function keyText({ value }: Scalar): string {
  return String(value ?? '');
}

function toValue(document: Document, faults: YamlFault[]): unknown {
  try {
    return document.toJS({ maxAliasCount: MAX_EXPANSIONS });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    faults.push({ line: 1, column: 1, code: 'alias-expansion', message });
    return undefined;
  }
}

function offsetOf(document: Document, path: readonly PropertyKey[]): number {
  for (let length = path.length; length > 0; length--) {
    const node = document.getIn(path.slice(0, length), true);
    if (isNode(node) && node.range) return node.range[0];
  }
  return 0;
}

function firstLine(text: string): string {
  return text.split('\n')[0] ?? text;
}
