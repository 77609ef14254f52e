import { GRAPH_PATH } from '../../architecture/file/graph-file.ts';
import type { GraphResult } from '../../architecture/graph/read-graph.ts';
import { DEFAULT_BUDGET, packGraph } from '../../architecture/query/pack-graph.ts';
import { oneLine } from '../../domain/json/clean-text.ts';
import type { PromptSection } from './prompt-section.ts';
import { quoteBlock } from './prompt-section.ts';

/** The graph as the tree of a turn has it, and what of it matters. */
export interface PromptArchitecture {
  graph: GraphResult;
  /** What the task is about. */
  text: string;
  /** Files that it touches or names. */
  files: readonly string[];
}

/** The graph takes at most this part of a prompt. */
const SHARE = 0.1;
/** Critical rules are always told, but a graph in which everything is one must not fill the prompt. */
const LONGEST_PACK = 16_000;
const SHOWN_IDS = 5;

/** What the project's architecture graph says of a task, and how this reader may change it. */
export function architectureSection(
  architecture: PromptArchitecture | undefined,
  budgetTokens: number,
  advice = '',
): PromptSection {
  return {
    name: 'architecture',
    priority: 'always',
    render() {
      if (!architecture) return { text: '', leftOut: [] };
      const { graph } = architecture;
      const share = Math.min(DEFAULT_BUDGET, Math.floor(budgetTokens * SHARE));
      const { lines, leftOut } = graph.ok ? packed(graph, architecture, share) : unreadable(graph);
      const said = advice === '' ? [] : [advice];
      return { text: ['## Architecture', ...lines, ...said].join('\n'), leftOut };
    },
  };
}

interface Told {
  lines: string[];
  leftOut: string[];
}

function packed(
  { graph }: Extract<GraphResult, { ok: true }>,
  { text, files }: PromptArchitecture,
  budgetTokens: number,
): Told {
  const pack = packGraph(graph, { text, files, budgetTokens });
  if (pack.text === '') return { lines: [`Nothing in ${GRAPH_PATH} speaks of this task.`], leftOut: [] };
  const cut = pack.text.length <= LONGEST_PACK ? pack.text : wholeLines(pack.text);
  const missing = pack.text.slice(cut.length).split('\n').length - 1;
  const ids = pack.leftOut.slice(0, SHOWN_IDS).map((id) => oneLine(id, 60));
  const more = pack.leftOut.length > ids.length ? ', …' : '';
  return {
    lines: [
      `What ${GRAPH_PATH} says of it; keep to its rules, and build nothing on what is deprecated or legacy.`,
      quoteBlock(cut, 'architecture graph'),
    ],
    leftOut: [
      ...(ids.length > 0 ? [`architecture: ${pack.leftOut.length} nodes (${ids.join(', ')}${more})`] : []),
      ...(missing > 0 ? [`architecture: ${missing} lines of critical rules, more than fit`] : []),
    ],
  };
}

function wholeLines(text: string): string {
  return text.slice(0, text.lastIndexOf('\n', LONGEST_PACK));
}

function unreadable({ fault }: Extract<GraphResult, { ok: false }>): Told {
  const { line, column, message } = fault;
  const place = `${GRAPH_PATH}:${line}:${column}`;
  return { lines: [`The graph cannot be read. ${place}: ${oneLine(message, 300)}`], leftOut: [] };
}

export const PLAYER_ADVICE = `Where your change alters the architecture, alter the graph with it: by the \`knowledge_update\` tool if you have it, else by \`guardkit knowledge update\`. Both refuse what would make the graph invalid; GuardKit checks it after your turn.`;

export const PLANNER_ADVICE = `Where the task alters the architecture, the plan names the nodes and edges that the Player changes by the \`knowledge_update\` tool or \`guardkit knowledge update\`.`;
