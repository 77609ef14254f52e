import { readFileSync } from 'node:fs';
import * as z from 'zod';
import { canonicalJson } from '../../../domain/json/json.ts';
import { createFileOnce } from '../../../platform/files/atomic-file.ts';
import type { RecordKey } from '../../../platform/signing/record-key.ts';
import { chainHeadSchema } from '../chain/ledger-entry.ts';
import { markPath } from './has-mark.ts';

const contentSchema = z.strictObject({
  /** The ledger whose earlier records were signed when this machine began to sign. */
  ledger: z.string().min(1),
  at: z.iso.datetime(),
  heads: z.record(z.string(), chainHeadSchema),
});

const markSchema = z.strictObject({ ...contentSchema.shape, signature: z.string() });

export type RecordsMark = z.infer<typeof contentSchema>;

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
