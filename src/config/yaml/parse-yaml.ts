// The only file that imports the parser, loaded on demand: most commands run without it. A dynamic import of the package
// itself would lose its named exports in the bundle.
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
  /** Identifies the kind of fault, independent of the wording. */
  code: string;
  message: string;
}

export interface ParsedYaml {
  /** Undefined if there are faults, or only comments. */
  value: unknown;
  faults: YamlFault[];
  /** The start of the value at a path, or of its nearest existing parent. */
  placeOf(path: readonly PropertyKey[]): Place;
  /** The position of the last key of a path. */
  placeOfKey(path: readonly PropertyKey[]): Place;
}

/** Limit for alias expansions; more is an attempt to exhaust memory. */
const MAX_EXPANSIONS = 50;

/** Limit for aliases: resolving them takes quadratic time. */
const MAX_ALIASES = 1000;

/** Parses YAML with the positions of all values. */
export function parseYaml(text: string): ParsedYaml {
  const lines = new LineCounter();
  const document = parseDocument(text, {
    lineCounter: lines,
    // Checked here, because the parser compares every pair of keys.
    uniqueKeys: false,
    prettyErrors: false,
    // Its warnings would be printed to the terminal.
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
  MULTIPLE_DOCS: { code: 'several-documents', message: 'a second document starts here; expected one' },
  RESOURCE_EXHAUSTION: { code: 'too-deep', message: 'nested too deeply' },
};

/** Handling a stack overflow can overflow again; report one nesting once. */
function firstOfExhaustion(errors: readonly YAMLError[]): YAMLError[] {
  const first = errors.find(({ code }) => code === 'RESOURCE_EXHAUSTION');
  return errors.filter((error) => error.code !== 'RESOURCE_EXHAUSTION' || error === first);
}

interface NodeFault {
  node: Node;
  code: string;
  message: string;
}

/** Faults that the parser accepts, or would throw later without a position. */
function nodeFaults(document: Document): NodeFault[] {
  const faults: NodeFault[] = [];
  const marked = new Map<string, Node>();
  let aliases = 0;
  visit(document, (_key, node, path) => {
    if (isMap(node)) faults.push(...keyFaults(node));
    if (isAlias(node)) {
      aliases++;
      const target = marked.get(node.source);
      if (!target) faults.push({ node, code: 'unknown-alias', message: `no anchor &${node.source} above` });
      else if (path.includes(target))
        faults.push({ node, code: 'alias-cycle', message: `&${node.source} contains itself` });
      if (aliases > MAX_ALIASES) {
        faults.push({
          node,
          code: 'too-many-aliases',
          message: `more than ${MAX_ALIASES} aliases`,
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

/** The key as in the parsed value, where numbers and words such as true become text. */
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
