import * as z from 'zod';
import type { JsonObject } from '../../../domain/json/json.ts';
import { isObject } from '../../../domain/json/plain-shape.ts';
import { withNewNames } from '../../../domain/json/renamed-fields.ts';
import type { EntryKind } from './entry-kind.ts';

/** One stored entry. The body stays text, because the hash covers every byte of it. */
export const entryRowSchema = z.strictObject({
  project: z.string(),
  number: z.int(),
  kind: z.string(),
  /** Milliseconds since 1970. */
  at: z.int(),
  body: z.string(),
  prev_hash: z.string(),
  hash: z.string(),
});

export type EntryRow = z.infer<typeof entryRowSchema>;

/** The position of an entry; that of the last one is the head of the chain. */
export const chainHeadSchema = z.strictObject({ number: z.int(), hash: z.string() });

export const maybeChainHeadSchema = chainHeadSchema.optional();

export type ChainHead = z.infer<typeof chainHeadSchema>;

/** The head of an empty chain. */
export const CHAIN_START: ChainHead = { number: 0, hash: '0'.repeat(64) };

export interface LedgerEntry {
  project: string;
  /** From 1, without gaps, in each project. */
  number: number;
  kind: string;
  at: string;
  body: JsonObject;
  prev_hash: string;
  hash: string;
}

const jsonObjectSchema = z.record(z.string(), z.json());

/** Undefined if the body does not match its kind. A kind unknown to this version is read as plain JSON. */
export function readEntry(row: EntryRow, kind: EntryKind | undefined): LedgerEntry | undefined {
  const at = new Date(row.at);
  if (Number.isNaN(at.getTime())) return undefined;
  const body = (kind?.schema ?? jsonObjectSchema).safeParse(parseBody(row.body, kind));
  return body.success ? { ...row, at: at.toISOString(), body: body.data } : undefined;
}

function parseBody(text: string, kind: EntryKind | undefined): unknown {
  try {
    const body: unknown = JSON.parse(text);
    return kind?.renamed && isObject(body) ? withNewNames(body, kind.renamed) : body;
  } catch {
    // No schema accepts undefined, so the caller treats it like any invalid body.
    return undefined;
  }
}
