// The only file that imports the parser, and loaded only where there is something to read: most commands run
// without it. A dynamic import of the package itself would lose its named exports in the bundle.
import { type Document, isMap, isNode, isScalar, LineCounter, parseDocument, visit } from 'yaml';

export interface Place {
  line: number;
  column: number;
}

export interface YamlFault extends Place {
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

/** Reads YAML with the place of everything in it. */
export function parseYaml(text: string): ParsedYaml {
  const lines = new LineCounter();
  const document = parseDocument(text, {
    lineCounter: lines,
    uniqueKeys: true,
    prettyErrors: false,
    // Its warnings would go to the terminal by themselves.
    logLevel: 'error',
  });
  const place = (offset: number): Place => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(1, line), column: Math.max(1, col) };
  };
  const faults: YamlFault[] = [
    ...document.errors.map(({ code, message, pos }) => ({
      ...place(pos[0]),
      message:
        code === 'MULTIPLE_DOCS' ? 'a second document begins here; one is expected' : firstLine(message),
    })),
    ...aliasFaults(document, place),
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
        isMap(parent) && parent.items.find(({ key }) => isScalar(key) && key.value === path.at(-1));
      return pair && isNode(pair.key) && pair.key.range ? place(pair.key.range[0]) : placeOf(path);
    },
  };
}

/** An alias to nothing: found here, since the parser would throw it later and without its place. */
function aliasFaults(document: Document, place: (offset: number) => Place): YamlFault[] {
  const faults: YamlFault[] = [];
  visit(document, {
    Alias(_key, node) {
      if (node.resolve(document)) return;
      faults.push({ ...place(node.range?.[0] ?? 0), message: `nothing above is marked &${node.source}` });
    },
  });
  return faults;
}

function toValue(document: Document, faults: YamlFault[]): unknown {
  try {
    return document.toJS({ maxAliasCount: MAX_EXPANSIONS });
  } catch (error) {
    faults.push({ line: 1, column: 1, message: error instanceof Error ? error.message : String(error) });
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
