import { once } from 'node:events';
import { resolve } from 'node:path';
import * as z from 'zod';
import { GuardKitError } from '../../../guardkit-error.ts';
import { AtomicFile } from '../../../platform/files/atomic-file.ts';
import { exportHeader } from '../../../store/export-file.ts';
import { plural, printableJson } from '../output/printable.ts';
import { type CliContext, defineCommand } from '../program/cli-command.ts';
import { resolveGroups } from './groups.ts';

export const exportCommand = defineCommand({
  name: 'export',
  summary: 'Export all versions as JSON lines',
  options: [
    ['--group <group>', 'Only this group', 'repeatable'],
    ['--out <file>', 'Write to this file (default: standard output)'],
  ],
  schema: z.object({
    group: z.array(z.string()).optional(),
    out: z.string().min(1, 'expected a file').optional(),
    json: z.boolean().default(false),
  }),
  async run(context, { group, out, json }) {
    if (json && out === undefined) throw notOneDocument();
    const workspace = await context.workspace();
    const groups = group?.flatMap((name) => resolveGroups(workspace, name));
    const store = await context.store();
    const records = store.export({ groups });
    if (out === undefined) {
      await writeLines(context, records);
      return undefined;
    }
    const file = resolve(context.cwd, out);
    const count = await writeExport(file, records);
    return { json: { file, records: count }, text: `wrote ${plural(count, 'record')} to ${file}` };
  },
});

async function writeLines({ stdout }: CliContext, records: AsyncIterable<unknown>): Promise<void> {
  stdout.write(`${printableJson(exportHeader())}\n`);
  for await (const record of records) {
    if (!stdout.write(`${printableJson(record)}\n`)) await once(stdout, 'drain');
  }
}

/** Writes an export atomically, readable only by its owner. */
export async function writeExport(file: string, records: AsyncIterable<unknown>): Promise<number> {
  let target: AtomicFile | undefined;
  try {
    target = new AtomicFile(file, 0o600);
    let count = 0;
    target.write(`${printableJson(exportHeader())}\n`);
    for await (const record of records) {
      target.write(`${printableJson(record)}\n`);
      count++;
    }
    target.commit();
    return count;
  } catch (error) {
    target?.discard();
    throw isFileError(error) ? notWritten(file, error) : error;
  }
}

/** An error of the file system, not of the store. */
function isFileError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error && 'code' in error;
}

function notWritten(file: string, error: NodeJS.ErrnoException): GuardKitError {
  return new GuardKitError({
    code: 'file.not-written',
    kind: 'outside',
    message: `Cannot write ${file} (${error.code}).`,
    hint: 'Specify a file in a writable folder with free space.',
    cause: error,
  });
}

function notOneDocument(): GuardKitError {
  return new GuardKitError({
    code: 'usage',
    kind: 'input',
    message: '--json: an export has one JSON document per line.',
    hint: 'Omit --json, or write to a file with --out.',
  });
}
