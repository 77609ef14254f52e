// The only file that imports the parser, and loaded only where there is something to read: most commands run
// without it. A dynamic import of the package itself would lose its named exports in the bundle.
import { type Document, LineCounter, parseDocument } from 'yaml';

export interface ParsedYaml {
  document: Document;
  lines: LineCounter;
}

/** Text as a YAML document whose nodes know their places; faults are in `document.errors`. */
export function parseYaml(text: string): ParsedYaml {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, uniqueKeys: true, prettyErrors: false });
  return { document, lines };
}
