import * as z from 'zod';
import { findNode } from '../../../architecture/edit/operation.ts';
import { openKnowledge, requireGraph } from '../../../architecture/file/open-knowledge.ts';
import { findPath, type PathOptions } from '../../../architecture/query/walk-graph.ts';
import { GuardKitError } from '../../../guardkit-error.ts';
import { type CliContext, defineCommand, type Report } from '../program/cli-command.ts';
import { assertLegal } from './query.ts';
import { edgeJson } from './show.ts';

export const path = defineCommand({
  name: 'path',
  summary: 'Show the shortest path between two nodes',
  arguments: [
    ['<from>', 'Node id'],
    ['<to>', 'Node id'],
  ],
  options: [
    ['--relation <relation>', 'Only along edges with this relation'],
    ['--directed', 'Follow edges only in their direction'],
  ],
  schema: z.object({
    from: z.string().min(1),
    to: z.string().min(1),
    relation: z.string().optional(),
    directed: z.boolean().default(false),
  }),
  run: runPath,
});

interface PathInput extends PathOptions {
  from: string;
  to: string;
}

async function runPath(context: CliContext, { from, to, ...options }: PathInput): Promise<Report> {
  const opened = await openKnowledge(context);
  assertLegal(opened, 'relation', options.relation);
  const graph = await requireGraph(opened);
  for (const id of [from, to]) {
    const found = findNode(graph, id, 'Search with `guardkit knowledge query WORDS`.');
    if (!found.ok) {
      throw new GuardKitError({ code: found.code, kind: 'input', message: found.message, hint: found.hint });
    }
  }
  const steps = findPath(graph, from, to, options);
  if (!steps) {
    return { json: { from, to, path: null }, text: `No path from ${from} to ${to}.`, exitCode: 1 };
  }
  const lines = steps.map(({ edge, backwards }) => {
    const relation = edgeJson(edge).relation ?? '(no relation)';
    return backwards ? `  ← ${relation} ${edge.from}` : `  → ${relation} ${edge.to}`;
  });
  return {
    json: { from, to, path: steps.map(({ edge, backwards }) => ({ ...edgeJson(edge), backwards })) },
    text: [from, ...lines].join('\n'),
  };
}
