import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { mergeGraphs } from '../../../architecture/merge/merge-graphs.ts';
import type { MergeConflict } from '../../../architecture/merge/plan-merge.ts';
import { GuardKitError } from '../../../guardkit-error.ts';
import { writeFileAtomic } from '../../../platform/files/atomic-file.ts';
import { plural } from '../output/printable.ts';
import type { CliContext, Report } from '../program/cli-command.ts';

interface MergeInput {
  base: string;
  ours: string;
  theirs: string;
  print: boolean;
  dryRun: boolean;
}

const MAX_BYTES = 16 * 1024 * 1024;

export async function runMerge(context: CliContext, input: MergeInput): Promise<Report> {
  const [base = '', ours = '', theirs = ''] = [input.base, input.ours, input.theirs].map((file) =>
    readExact(resolve(context.cwd, file), file),
  );
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

/** With its byte order mark, if it has one: that is a part of what is merged. */
function readExact(path: string, name: string): string {
  try {
    if (statSync(path).size > MAX_BYTES) throw new Error('it is too large');
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(readFileSync(path));
  } catch (error) {
    throw new GuardKitError({
      code: 'file.unreadable',
      kind: 'input',
      message: `${name} cannot be read: ${error instanceof Error ? error.message : error}.`,
      hint: 'Name three text files: the common version, ours and theirs.',
      cause: error,
    });
  }
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
