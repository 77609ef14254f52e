import { findNode } from '../../../architecture/edit/find-node.ts';
import { openKnowledge, requireGraph } from '../../../architecture/file/open-knowledge.ts';
import { findPath, type PathOptions } from '../../../architecture/query/find-path.ts';
import { GuardKitError } from '../../../guardkit-error.ts';
import type { CliContext, Report } from '../program/cli-command.ts';
import { assertLegal } from './run-query.ts';
import { edgeJson } from './run-show.ts';

interface PathInput extends PathOptions {
  from: string;
  to: string;
}

export async function runPath(context: CliContext, { from, to, ...options }: PathInput): Promise<Report> {
  const opened = await openKnowledge(context);
  assertLegal(opened, 'relation', options.relation);
  const graph = await requireGraph(opened);
  for (const id of [from, to]) {
    const found = findNode(graph, id, '`guardkit knowledge query WORDS` finds nodes by what they say.');
    if (!found.ok) {
      throw new GuardKitError({ code: found.code, kind: 'input', message: found.message, hint: found.hint });
    }
  }
  const steps = findPath(graph, from, to, options);
  if (!steps) {
    return { json: { from, to, path: null }, text: `There is no way from ${from} to ${to}.`, exitCode: 1 };
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
