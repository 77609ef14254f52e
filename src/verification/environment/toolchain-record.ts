import { mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as z from 'zod';
import { writeFileAtomic } from '../../platform/files/atomic-file.ts';

const toolchainRecordSchema = z.strictObject({
  /** Folders with real programs, in the order of the person's PATH. */
  folders: z.array(z.string().startsWith('/')),
  /** Further folders that these programs need to be read. */
  readable: z.array(z.string().startsWith('/')),
  env: z.record(z.string(), z.string()),
  /** The real program behind each name that a version manager answers to. */
  programs: z.record(z.string(), z.string()),
  recorded_at: z.string(),
});

/** The toolchains that a person's command found for one project on this machine. */
export type ToolchainRecord = z.infer<typeof toolchainRecordSchema>;

export function toolchainRecordPath(home: string, project: string): string {
  return join(home, 'toolchains', `${project.replace(/[^\w.-]/g, '_')}.json`);
}

export function readToolchainRecord(home: string, project: string): ToolchainRecord | undefined {
  try {
    return toolchainRecordSchema.parse(JSON.parse(readFileSync(toolchainRecordPath(home, project), 'utf8')));
  } catch {
    // Safe: without a record only the system's folders and known installations count.
    return undefined;
  }
}

export function writeToolchainRecord(home: string, project: string, record: ToolchainRecord): void {
  const path = toolchainRecordPath(home, project);
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  writeFileAtomic(path, `${JSON.stringify(record, null, 2)}\n`, 0o600);
}
