import { GRAPH_PATH } from '../../architecture/file/graph-file.ts';
import type { GraphResult } from '../../architecture/graph/read-graph.ts';
import { DEFAULT_BUDGET, packGraph } from '../../architecture/query/pack-graph.ts';
import { oneLine } from '../../domain/json/clean-text.ts';
import type { PromptSection } from './prompt-section.ts';
import { quoteBlock } from './prompt-section.ts';

/** The architecture graph of a turn's tree, and the task that selects from it. */
export interface PromptArchitecture {
  graph: GraphResult;
  /** The task's text. */
  text: string;
  /** Files that the task touches or names. */
  files: readonly string[];
}

/** The graph's share of the prompt budget. */
const SHARE = 0.1;
/** Critical rules are always included, but must not fill the prompt. */
const LONGEST_PACK = 16_000;
const SHOWN_IDS = 5;

/** The parts of the architecture graph that concern a task, and advice on changing it. */
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

interface PackedLines {
  lines: string[];
  leftOut: string[];
}

function packed(
  { graph }: Extract<GraphResult, { ok: true }>,
  { text, files }: PromptArchitecture,
  budgetTokens: number,
): PackedLines {
  const pack = packGraph(graph, { text, files, budgetTokens });
  if (pack.text === '') return { lines: [`Nothing in ${GRAPH_PATH} concerns this task.`], leftOut: [] };
  const cut = pack.text.length <= LONGEST_PACK ? pack.text : wholeLines(pack.text);
  const missing = pack.text.slice(cut.length).split('\n').length - 1;
  const ids = pack.leftOut.slice(0, SHOWN_IDS).map((id) => oneLine(id, 60));
  const more = pack.leftOut.length > ids.length ? ', …' : '';
  return {
    lines: [
      `From ${GRAPH_PATH}. Follow its rules. Do not build on anything deprecated or legacy.`,
      quoteBlock(cut, 'architecture graph'),
    ],
    leftOut: [
      ...(ids.length > 0 ? [`architecture: ${pack.leftOut.length} nodes (${ids.join(', ')}${more})`] : []),
      ...(missing > 0 ? [`architecture: ${missing} lines of critical rules`] : []),
    ],
  };
}

function wholeLines(text: string): string {
  return text.slice(0, text.lastIndexOf('\n', LONGEST_PACK));
}

function unreadable({ fault }: Extract<GraphResult, { ok: false }>): PackedLines {
  const { line, column, message } = fault;
  const place = `${GRAPH_PATH}:${line}:${column}`;
  return { lines: [`Invalid graph: ${place}: ${oneLine(message, 300)}`], leftOut: [] };
}

export const PLAYER_ADVICE = `If your change alters the architecture, update the graph too: use the \`knowledge_update\` tool if you have it, else \`guardkit knowledge update\`. Both reject changes that would make the graph invalid; GuardKit checks it after your turn.`;

export const PLANNER_ADVICE = `If the task alters the architecture, name in the plan the nodes and edges that the Player changes with the \`knowledge_update\` tool or \`guardkit knowledge update\`.`;
