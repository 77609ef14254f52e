import { GRAPH_PATH } from '../../../architecture/file/graph-file.ts';
import { openKnowledge } from '../../../architecture/file/open-knowledge.ts';
import { type ArchitectureGraph, attributeOf } from '../../../architecture/graph/architecture-graph.ts';
import { graphDifference } from '../../../architecture/graph/graph-difference.ts';
import { readGraph } from '../../../architecture/graph/read-graph.ts';
import { nodesAround } from '../../../architecture/query/walk-graph.ts';
import { renderGraph } from '../../../architecture/render/render-graph.ts';
import { pathsOf } from '../../../architecture/update/knowledge-update.ts';
import type { GraphFault } from '../../../architecture/validation/graph-fault.ts';
import { validateGraph } from '../../../architecture/validation/validate-graph.ts';
import { GuardKitError } from '../../../guardkit-error.ts';
import { Repository } from '../../../platform/git/repository.ts';
import type { ArchitectureAnswer } from './architecture-schema.ts';
import type { OpenedProject } from './read-context.ts';

const MAX_COMMITS = 30;
const MAX_FAULTS = 200;
const MAX_DESCRIPTION = 300;

const NOTHING: ArchitectureAnswer = {
  graph: null,
  picture: null,
  why_no_picture: null,
  faults: [],
  warnings: [],
  compared_with: null,
  history: [],
};

export interface ArchitectureAsked {
  /** Compare with this commit (default: before the last change). */
  from?: string | undefined;
  /** Draw only what is near this node. */
  around?: string | undefined;
  depth: number;
}

/** The architecture graph of a checkout, drawn and validated. In a thread: drawing takes seconds. */
export async function readArchitecture(
  { checkout, dataFolder }: OpenedProject,
  { from, around, depth }: ArchitectureAsked,
): Promise<ArchitectureAnswer> {
  if (checkout === undefined) return NOTHING;
  const { file, schema } = await openKnowledge({ cwd: checkout, env: { GUARDKIT_HOME: dataFolder } });
  const text = (await file.read())?.text;
  const repository = await Repository.open(checkout);
  const history = await commitsOf(repository);
  if (text === undefined) return { ...NOTHING, history };
  const read = readGraph(text);
  if (!read.ok) return { ...NOTHING, history, faults: [faultJson(read.fault)] };
  const { graph } = read;
  const missingPaths = await file.missing(pathsOf(graph));
  const { faults, warnings } = validateGraph(graph, schema, { missingPaths });
  const known = from !== undefined && history.some(({ commit }) => commit === from) ? from : undefined;
  const base = known ?? (await baseOf(repository, history, text));
  const changes = await changesSince(repository, base, graph);
  return {
    graph: { nodes: nodesJson(graph, changes), edges: graph.edges.length },
    ...(await draw(graph, changes, around, depth)),
    faults: faults.slice(0, MAX_FAULTS).map(faultJson),
    warnings: warnings.slice(0, MAX_FAULTS).map(faultJson),
    compared_with: base ?? null,
    history,
  };
}

type Changes = ReadonlyMap<string, 'added' | 'changed' | 'removed'>;

async function commitsOf(repository: Repository): Promise<ArchitectureAnswer['history']> {
  const out = await repository
    .run(['log', `--max-count=${MAX_COMMITS}`, '-z', '--format=%H%n%cI%n%an%n%s', '--', GRAPH_PATH])
    // Safe: a repository without commits has no history.
    .catch(() => '');
  return out
    .split('\0')
    .map((one) => one.split('\n'))
    .filter(([commit]) => commit)
    .map(([commit = '', at = '', by = '', ...subject]) => ({ commit, at, by, subject: subject.join(' ') }));
}

/** The last committed version that differs from the current text. */
async function baseOf(
  repository: Repository,
  history: ArchitectureAnswer['history'],
  text: string,
): Promise<string | undefined> {
  for (const { commit } of history.slice(0, 2))
    if ((await textAt(repository, commit)) !== text) return commit;
  return undefined;
}

async function textAt(repository: Repository, commit: string): Promise<string | undefined> {
  // Safe: a version that cannot be read is not compared.
  return repository.run(['cat-file', 'blob', `${commit}:${GRAPH_PATH}`]).catch(() => undefined);
}

async function changesSince(
  repository: Repository,
  commit: string | undefined,
  after: ArchitectureGraph,
): Promise<Changes> {
  const text = commit === undefined ? undefined : await textAt(repository, commit);
  const read = text === undefined ? undefined : readGraph(text);
  if (!read?.ok) return new Map();
  const { added, changed, removed, addedEdges, removedEdges } = graphDifference(read.graph, after);
  const moved = [...addedEdges, ...removedEdges].map(({ from }) => from).filter((id) => after.nodes.has(id));
  return new Map([
    ...moved.map((id) => [id, 'changed'] as const),
    ...changed.map(({ id }) => [id, 'changed'] as const),
    ...added.map(({ id }) => [id, 'added'] as const),
    ...removed.map(({ id }) => [id, 'removed'] as const),
  ]);
}

function nodesJson(
  graph: ArchitectureGraph,
  changes: Changes,
): NonNullable<ArchitectureAnswer['graph']>['nodes'] {
  const gone = [...changes].filter(([, change]) => change === 'removed').map(([id]) => id);
  return [
    ...[...graph.nodes.values()].map((node) => ({
      id: node.id,
      type: attributeOf(node, 'type') ?? null,
      status: attributeOf(node, 'status') ?? null,
      description: (attributeOf(node, 'description') ?? '').slice(0, MAX_DESCRIPTION),
      change: changes.get(node.id) ?? null,
    })),
    ...gone.map((id) => ({ id, type: null, status: null, description: '', change: 'removed' as const })),
  ];
}

async function draw(
  graph: ArchitectureGraph,
  changes: Changes,
  around: string | undefined,
  depth: number,
): Promise<Pick<ArchitectureAnswer, 'picture' | 'why_no_picture'>> {
  const marked = new Map(
    [...changes].flatMap(([id, change]) => (change === 'removed' ? [] : [[id, change] as const])),
  );
  const only =
    around !== undefined && graph.nodes.has(around) ? nodesAround(graph, [around], depth) : undefined;
  try {
    const picture = await renderGraph(graph, 'svg', { changes: marked, ...(only ? { only } : {}) });
    return { picture, why_no_picture: null };
  } catch (error) {
    if (!(error instanceof GuardKitError)) throw error;
    return { picture: null, why_no_picture: error.message };
  }
}

function faultJson({ code, message, line }: Pick<GraphFault, 'code' | 'message' | 'line'>) {
  return { code, message, line };
}
