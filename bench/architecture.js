import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { importSources } from '../scripts/import-sources.js';
import { measure, summarize } from './measure.js';

const NODES = 5_000;
const EDGES = 8_000;

/**
 * Reads and changes a large architecture graph, compared with a bare parse of the same text by `@ts-graphviz/ast`, the
 * maintained DOT parser. Its limits are raised, since it refuses such a file by default.
 */
export async function measureArchitecture(folder, { samples = 12 } = {}) {
  const sources = await importSources([
    'src/architecture/dot/read-dot.ts',
    'src/architecture/graph/read-graph.ts',
    'src/architecture/query/pack-graph.ts',
    'src/architecture/file/local-graph-file.ts',
    'src/architecture/update/knowledge-update.ts',
  ]);
  const { readDot, readGraph, packGraph, LocalGraphFile, knowledgeUpdate } = sources;
  const text = makeGraph();
  const time = async (operation) => {
    const plan = { prepare: () => ({}), operation: async () => operation(), samples, budgetMs: 60_000 };
    return summarize(await measure(plan)).p50;
  };

  const root = join(folder, 'architecture');
  mkdirSync(join(root, '.maestro'), { recursive: true });
  writeFileSync(join(root, '.maestro', 'knowledge.dot'), text);
  const file = new LocalGraphFile(root, { home: join(folder, 'home') });
  let count = 0;
  const update = async () => {
    const node = { type: 'component', level: 'implementation', status: 'current', description: 'New' };
    const result = await knowledgeUpdate({ operation: 'add_node', name: `new-${++count}`, ...node }, file);
    if (!result.ok || !result.written) throw new Error(JSON.stringify(result));
  };
  const { graph } = readGraph(text);
  const task = {
    text: 'change part 77 of the system so that component-4000 does less',
    files: ['src/part-12.ts'],
  };

  const parseMs = await time(() => readDot(text));
  const updateMs = await time(update);
  const packMs = await time(() => packGraph(graph, task));
  const theirs = await import('@ts-graphviz/ast');
  const limits = {
    maxHtmlNestingDepth: 100,
    maxEdgeChainDepth: 1000,
    maxASTNodes: 10_000_000,
    maxInputSize: 0,
  };
  const theirsMs = await time(() => theirs.parse(text, limits));
  return {
    ...{ nodes: NODES, edges: EDGES, characters: text.length, parseMs, updateMs, packMs, theirsMs },
    ...{ parseRatio: parseMs / theirsMs, updateRatio: updateMs / theirsMs },
  };
}

/** As a tool writes it: one statement per line, everything quoted. */
function makeGraph() {
  const lines = ['digraph knowledge {'];
  for (let number = 0; number < NODES; number++) {
    const fields = {
      ...{ type: 'component', level: 'implementation', status: 'current' },
      description: `Does the work of part ${number} of the system, and nothing else`,
      ...{
        tag: `part-${number % 50}`,
        component: `component-${number % 100}`,
        path: `src/part-${number}.ts`,
      },
    };
    const list = Object.entries(fields).map(([name, value]) => `${name}="${value}"`);
    lines.push(`  "component-${number}" [${list.join(', ')}];`);
  }
  for (let number = 0; number < EDGES; number++) {
    const [from, to] = [number % NODES, (number * 7919 + 13) % NODES];
    lines.push(`  "component-${from}" -> "component-${to}" [relation="uses"];`);
  }
  return [...lines, '}', ''].join('\n');
}

// node bench/architecture.js
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const folder = mkdtempSync(join(tmpdir(), 'guardkit-bench-'));
  try {
    const figures = await measureArchitecture(folder);
    for (const [name, value] of Object.entries(figures))
      console.log(`${name}  ${Number(value.toPrecision(3))}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
