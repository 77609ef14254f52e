import { resolve } from 'node:path';
import { findNode } from '../../../architecture/edit/find-node.ts';
import { openKnowledge, requireGraph } from '../../../architecture/file/open-knowledge.ts';
import type { ArchitectureGraph } from '../../../architecture/graph/architecture-graph.ts';
import { type PictureFormat, renderGraph } from '../../../architecture/render/render-graph.ts';
import { GuardKitError } from '../../../guardkit-error.ts';
import { writeFileAtomic } from '../../../platform/files/atomic-file.ts';
import { formatBytes } from '../output/printable.ts';
import type { CliContext, Report } from '../program/cli-command.ts';

interface RenderInput {
  out?: string | undefined;
  format?: PictureFormat | undefined;
  around: readonly string[];
  depth: number;
  dryRun: boolean;
}

export async function runRender(context: CliContext, input: RenderInput): Promise<Report> {
  const graph = await requireGraph(await openKnowledge(context));
  const only = input.around.length > 0 ? neighbourhood(graph, input.around, input.depth) : undefined;
  const format = input.format ?? (input.out?.endsWith('.dot') || input.out?.endsWith('.gv') ? 'dot' : 'svg');
  const picture = await renderGraph(graph, format, only ? { only } : {});
  const nodes = only?.size ?? graph.nodes.size;
  if (input.out === undefined) return { json: { format, nodes, picture }, text: picture.trimEnd() };
  const size = formatBytes(Buffer.byteLength(picture));
  if (!input.dryRun) write(resolve(context.cwd, input.out), picture);
  return {
    json: { format, nodes, out: input.out, dry_run: input.dryRun },
    text: `${input.dryRun ? 'Would write' : 'Wrote'} ${input.out} (${size}, ${nodes} nodes).`,
  };
}

function write(file: string, picture: string): void {
  try {
    writeFileAtomic(file, picture);
  } catch (error) {
    throw new GuardKitError({
      code: 'render.unwritable',
      kind: 'outside',
      message: `${file} cannot be written: ${error instanceof Error ? error.message : error}.`,
      hint: 'Name a file in a folder that you may write to.',
      cause: error,
    });
  }
}

function neighbourhood(graph: ArchitectureGraph, around: readonly string[], depth: number): Set<string> {
  const near = new Set<string>();
  for (const id of around) {
    const found = findNode(graph, id, '`guardkit knowledge query WORDS` finds nodes by what they say.');
    if (!found.ok) {
      throw new GuardKitError({ code: found.code, kind: 'input', message: found.message, hint: found.hint });
    }
    near.add(id);
  }
  for (let step = 0; step < depth; step++) {
    const border = graph.edges.filter(({ from, to }) => near.has(from) !== near.has(to));
    if (border.length === 0) break;
    for (const { from, to } of border) near.add(from).add(to);
  }
  return near;
}
