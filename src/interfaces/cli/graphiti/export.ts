import { once } from 'node:events';
import { resolve } from 'node:path';
import { z } from 'zod';
import { AtomicFile } from '../../../platform/atomic-file.ts';
import { exportHeader } from '../../../store/export-file.ts';
import { type CliContext, defineCommand } from '../cli-command.ts';
import { plural } from '../printable.ts';
import { resolveGroups } from './groups.ts';

export const exportCommand = defineCommand({
  name: 'export',
  summary: 'write all versions as JSON lines, to a file or to standard output',
  options: [
    ['--group <group>', 'only these groups', 'repeatable'],
    ['--out <file>', 'write to this file'],
  ],
  schema: z.object({ group: z.array(z.string()).optional(), out: z.string().optional() }),
  async run(context, { group, out }) {
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
  stdout.write(`${JSON.stringify(exportHeader())}\n`);
  for await (const record of records) {
    if (!stdout.write(`${JSON.stringify(record)}\n`)) await once(stdout, 'drain');
  }
}

/** Writes an export that is there whole or not at all, readable by its owner only. */
export async function writeExport(file: string, records: AsyncIterable<unknown>): Promise<number> {
  const target = new AtomicFile(file, 0o600);
  try {
    let count = 0;
    target.write(`${JSON.stringify(exportHeader())}\n`);
    for await (const record of records) {
      target.write(`${JSON.stringify(record)}\n`);
      count++;
    }
    target.commit();
    return count;
  } catch (error) {
    target.discard();
    throw error;
  }
}
