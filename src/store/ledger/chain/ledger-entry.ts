import * as z from 'zod';
import { canonicalJson, type JsonObject, sha256 } from '../../../domain/json/json.ts';
import { isObject } from '../../../domain/json/plain-shape.ts';
import { withNewNames } from '../../../domain/json/renamed-fields.ts';
import type { EntryKind } from './entry-kind.ts';

/** One entry as it is kept. The body stays text: the hash is over every byte of it. */
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

export const ENTRY_COLUMNS = 'project, number, kind, at, body, prev_hash, hash';

/** An entry's place: the last one's is the head of the chain. */
export const chainHeadSchema = z.strictObject({ number: z.int(), hash: z.string() });

export const maybeChainHeadSchema = chainHeadSchema.optional();

export type ChainHead = z.infer<typeof chainHeadSchema>;

/** What comes before the first entry of a project. */
export const CHAIN_START: ChainHead = { number: 0, hash: '0'.repeat(64) };

/** The hash of everything an entry says, of the entry before it and of the ledger it is in. */
export function entryHash(ledgerId: string, entry: Omit<EntryRow, 'hash'>): string {
  const { project, number, kind, at, body, prev_hash } = entry;
  return sha256(canonicalJson({ ledger: ledgerId, project, number, kind, at, body, prev_hash }));
}

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

/** Undefined where the body does not fit; one of a kind that this version does not know is only read as JSON. */
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
    // No schema accepts undefined, so the caller answers for it as for any body that does not fit.
    return undefined;
  }
}
