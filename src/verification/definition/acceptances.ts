import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import {
  type Acceptance,
  acceptanceSchema,
} from '../../store/ledger/kinds/protection/acceptance-recorded.ts';
import type { Ledger } from '../../store/ledger/ledger.ts';

/** The files that persons accepted in a project: the latest decision on each path and content. */
export class Acceptances {
  readonly #accepted: ReadonlySet<string>;

  constructor(acceptances: readonly Acceptance[]) {
    this.#accepted = new Set(acceptances.map(({ path, digest }) => key(path, digest)));
  }

  static read(ledger: Ledger, project: string): Acceptances {
    const entries = ledger.entries(project, { kind: 'acceptance_recorded' });
    return new Acceptances(entries.map(({ body }) => acceptanceSchema.parse(body)));
  }

  /** Null for a missing file. */
  has(path: string, digest: string | null): boolean {
    return this.#accepted.has(key(path, digest));
  }
}

export function digestOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** The digest of a file's bytes; null for a missing file. */
export function contentDigest(file: string): string | null {
  try {
    return digestOf(readFileSync(file));
  } catch {
    // Safe: an unreadable file counts as missing, and accepting that is a separate decision.
    return null;
  }
}

function key(path: string, digest: string | null): string {
  return `${digest ?? 'gone'} ${path}`;
}
