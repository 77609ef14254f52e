import { posix } from 'node:path';
import { GRAPH_PATH, repositoryPath } from '../architecture/file/graph-file.ts';
import { readGraph } from '../architecture/graph/read-graph.ts';
import { extendSchema, type KnowledgeSchema } from '../architecture/schema/knowledge-schema.ts';
import { pathsOf } from '../architecture/update/knowledge-update.ts';
import type { GraphChange } from '../architecture/validation/judge-change.ts';
import type { ArchitectureConfig } from '../config/project/project-config.ts';
import { turnStateSchema } from '../domain/entities/turn-state.ts';
import { OUTSIDE_THE_TREE } from '../domain/protection/project-paths.ts';
import { readBlobs, type TreeEntry } from '../platform/git/git-tree.ts';
import type { Repository } from '../platform/git/repository.ts';
import type { Ledger } from '../store/ledger/ledger.ts';
import type { TreeComparison } from './compare-trees.ts';

/** The architecture graph on the base and in the candidate, or the reason why it is unreadable. */
export type ArchitectureFacts =
  | { read: false; because: 'git' | 'candidate'; why: string }
  | { read: true; change: GraphChange; schema: KnowledgeSchema; missingPaths: ReadonlySet<string> };

/** Reads the graph from both trees: a checkout could contain a link or a command's leftovers in its place. */
export async function architectureFacts(
  repository: Repository,
  { entries, baseEntries }: Pick<TreeComparison, 'entries' | 'baseEntries'>,
  config: ArchitectureConfig | undefined,
): Promise<ArchitectureFacts> {
  const before = baseEntries.find(({ path }) => path === GRAPH_PATH);
  const after = entries.find(({ path }) => path === GRAPH_PATH);
  const schema = extendSchema(config);
  const unchanged = before?.object === after?.object && before?.mode === after?.mode;
  // Not opened: an unchanged graph is not judged.
  const same = before && unchanged ? '' : undefined;
  if (unchanged)
    return { read: true, change: { before: same, after: same }, schema, missingPaths: new Set() };
  if (after && !isFile(after))
    return {
      read: false,
      because: 'candidate',
      why: `the change replaces ${GRAPH_PATH} with a link; it must be a regular file`,
    };
  const files = [before, after].filter((entry) => entry !== undefined).filter(isFile);
  const texts = await readBlobs(
    repository,
    files.map(({ object }) => object),
  );
  const unread = files.find(({ object }) => !texts.has(object));
  if (unread) return { read: false, because: 'git', why: `git cannot read ${GRAPH_PATH} (${unread.object})` };
  const textOf = (entry: TreeEntry | undefined) => entry && texts.get(entry.object);
  const change = { before: textOf(before), after: textOf(after) };
  return { read: true, change, schema, missingPaths: missingPaths(change.after, entries) };
}

function isFile({ mode }: TreeEntry): boolean {
  return mode.startsWith('100');
}

/** Paths that nodes name and the tree lacks. */
function missingPaths(text: string | undefined, entries: readonly TreeEntry[]): ReadonlySet<string> {
  const read = text === undefined ? undefined : readGraph(text);
  const named = read?.ok ? pathsOf(read.graph) : [];
  if (named.length === 0) return new Set();
  const known = new Set<string>(['.']);
  for (const { path } of entries) for (let at = path; !known.has(at); at = posix.dirname(at)) known.add(at);
  return new Set(
    named.filter((path) => {
      const inside = repositoryPath(path);
      if (inside === 'pattern') return false;
      if (inside === 'outside') return true;
      const plain = posix.normalize(inside || '.').replace(/\/$/, '');
      const isOutsideTheTree = OUTSIDE_THE_TREE.some((one) => plain === one || plain.startsWith(`${one}/`));
      return !isOutsideTheTree && !known.has(plain);
    }),
  );
}

/** The Coach's latest architecture score for a tree from the turns of these tasks. */
export function architectureScore(
  ledger: Ledger,
  project: string,
  tasks: readonly string[],
  tree: string,
): number | undefined {
  let last: { number: number; score: number } | undefined;
  for (const value of tasks) {
    for (const { number, body } of ledger.lookup(project, {
      kind: 'turn_recorded',
      field: 'task_id',
      value,
    })) {
      const { arch_score, quality_gate_results } = turnStateSchema.parse(body);
      if (arch_score === null || quality_gate_results?.tree !== tree) continue;
      if (!last || number > last.number) last = { number, score: arch_score };
      break;
    }
  }
  return last?.score;
}
