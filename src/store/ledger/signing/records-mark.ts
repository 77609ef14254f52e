import { lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { canonicalJson } from '../../../domain/json/json.ts';
import { createFileOnce } from '../../../platform/files/atomic-file.ts';
import { keysFolder } from '../../../platform/signing/machine-key.ts';
import type { RecordKey } from '../../../platform/signing/record-key.ts';
import { chainHeadSchema } from '../chain/ledger-entry.ts';

const contentSchema = z.strictObject({
  /** The ledger whose earlier records were signed when this machine began to sign. */
  ledger: z.string().min(1),
  at: z.iso.datetime(),
  heads: z.record(z.string(), chainHeadSchema),
});

const markSchema = z.strictObject({ ...contentSchema.shape, signature: z.string() });

export type RecordsMark = z.infer<typeof contentSchema>;

/**
 * Says that this machine signs its records. Next to the key, where agents' commands see an empty folder: whoever can write
 * into the ledger still cannot remove the mark and have their own records signed as earlier ones.
 */
function markPath(dataFolder: string): string {
  return join(keysFolder(dataFolder), 'records.json');
}

export function hasMark(dataFolder: string): boolean {
  return lstatSync(markPath(dataFolder), { throwIfNoEntry: false }) !== undefined;
}

/** Undefined if there is none, or if another key signed it. */
export function readMark(dataFolder: string, key: RecordKey): RecordsMark | undefined {
  try {
    const { signature, ...content } = markSchema.parse(
      JSON.parse(readFileSync(markPath(dataFolder), 'utf8')),
    );
    return key.verifies(canonicalJson(content), signature) ? content : undefined;
  } catch {
    // Safe: it only informs; that it exists is what counts.
    return undefined;
  }
}

/** Never replaces a mark: two processes may start at the same time. */
export function writeMark(dataFolder: string, key: RecordKey, content: RecordsMark): void {
  const mark = { ...content, signature: key.sign(canonicalJson(content)) };
  createFileOnce(markPath(dataFolder), `${JSON.stringify(mark)}\n`, 0o600);
}
