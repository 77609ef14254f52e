import { resolve } from 'node:path';
import { mergeGraphs } from '../../../architecture/merge/merge-graphs.ts';
import type { MergeConflict } from '../../../architecture/merge/plan-merge.ts';
import { GuardKitError } from '../../../guardkit-error.ts';
import { writeFileAtomic } from '../../../platform/atomic-file.ts';
import type { CliContext, Report } from '../cli-command.ts';
import { plural } from '../printable.ts';
import { readText } from '../read-text.ts';

interface MergeInput {
  base: string;
  ours: string;
  theirs: string;
  print: boolean;
  dryRun: boolean;
}

const MAX_BYTES = 16 * 1024 * 1024;

export async function runMerge(context: CliContext, input: MergeInput): Promise<Report> {
  const hint = 'Name three files: the common version, ours and theirs.';
  const read = (file: string) => readText(context, file, { maxBytes: MAX_BYTES, hint });
  const [base, ours, theirs] = [await read(input.base), await read(input.ours), await read(input.theirs)];
  const { text, conflicts } = mergeGraphs({ base, ours, theirs });
  if (!input.print && !input.dryRun && text !== ours) write(resolve(context.cwd, input.ours), text);
  const exitCode = conflicts.length > 0 ? 1 : 0;
  const summary = conflicts.length === 0 ? 'merged' : `${plural(conflicts.length, 'conflict')}:`;
  return {
    json: { merged: conflicts.length === 0, conflicts, ...(input.print || input.dryRun ? { text } : {}) },
    text: input.print
      ? text.trimEnd()
      : [summary, ...conflicts.map((one) => `  ${describe(one)}`)].join('\n'),
    ...(input.print && exitCode > 0 ? { notices: conflicts.map(describe) } : {}),
    exitCode,
  };
}

function describe({ node, edge, why }: MergeConflict): string {
  if (node !== undefined) return `node ${node}: ${why}`;
  return edge ? `edge ${edge.from} ${edge.relation} ${edge.to}: ${why}` : why;
}

function write(file: string, text: string): void {
  try {
    writeFileAtomic(file, text);
  } catch (error) {
    throw new GuardKitError({
      code: 'merge.unwritable',
      kind: 'outside',
      message: `${file} cannot be written: ${error instanceof Error ? error.message : error}.`,
      hint: 'Make it a file that you may write to.',
      cause: error,
    });
  }
}
