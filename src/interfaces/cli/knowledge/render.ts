import { resolve } from 'node:path';
import * as z from 'zod';
import { findNode } from '../../../architecture/edit/operation.ts';
import { openKnowledge, requireGraph } from '../../../architecture/file/open-knowledge.ts';
import type { ArchitectureGraph } from '../../../architecture/graph/architecture-graph.ts';
import { nodesAround } from '../../../architecture/query/walk-graph.ts';
import { type PictureFormat, renderGraph } from '../../../architecture/render/render-graph.ts';
import { GuardKitError } from '../../../guardkit-error.ts';
import { writeFileAtomic } from '../../../platform/files/atomic-file.ts';
import { wholeNumber } from '../input/whole-number.ts';
import { formatBytes } from '../output/printable.ts';
import { type CliContext, defineCommand, type Report } from '../program/cli-command.ts';

export const render = defineCommand({
  name: 'render',
  summary: 'Draw the architecture graph as SVG or DOT',
  options: [
    ['--out <file>', 'Write to this file instead of standard output'],
    ['--format <format>', 'svg or dot (default: svg)'],
    ['--around <node>', 'Only nodes near this one', 'repeatable'],
    ['--depth <count>', 'With --around: at most N edges away (default: 1)'],
  ],
  changes: true,
  schema: z.object({
    out: z.string().min(1).optional(),
    format: z.enum(['svg', 'dot']).optional(),
    around: z.array(z.string()).default([]),
    depth: wholeNumber(10, 1),
    dryRun: z.boolean().default(false),
  }),
  run: runRender,
});

interface RenderInput {
  out?: string | undefined;
  format?: PictureFormat | undefined;
  around: readonly string[];
  depth: number;
  dryRun: boolean;
}

async function runRender(context: CliContext, input: RenderInput): Promise<Report> {
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
      hint: 'Specify a file in a writable folder.',
      cause: error,
    });
  }
}

function neighbourhood(graph: ArchitectureGraph, around: readonly string[], depth: number): Set<string> {
  for (const id of around) {
    const found = findNode(graph, id, 'Search with `guardkit knowledge query WORDS`.');
    if (!found.ok) {
      throw new GuardKitError({ code: found.code, kind: 'input', message: found.message, hint: found.hint });
    }
  }
  return nodesAround(graph, around, depth);
}
