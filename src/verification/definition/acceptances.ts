import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type Acceptance, acceptanceSchema } from '../../domain/criteria/acceptance.ts';
import type { Ledger } from '../../store/ledger/ledger.ts';

/** What persons have accepted in a project: the last word on each path and content. */
export class Acceptances {
  readonly #accepted: ReadonlySet<string>;

  constructor(acceptances: readonly Acceptance[]) {
    this.#accepted = new Set(acceptances.map(({ path, digest }) => key(path, digest)));
  }

  static read(ledger: Ledger, project: string): Acceptances {
    const entries = ledger.entries(project, { kind: 'acceptance_recorded' });
    return new Acceptances(entries.map(({ body }) => acceptanceSchema.parse(body)));
  }

  /** Null is a file that is not there. */
  has(path: string, digest: string | null): boolean {
    return this.#accepted.has(key(path, digest));
  }
}

/** Of a file's bytes; null if there is no such file. */
export function contentDigest(file: string): string | null {
  try {
    return createHash('sha256').update(readFileSync(file)).digest('hex');
  } catch {
    // Safe: what cannot be read is as good as gone, and accepting that is a decision of its own.
    return null;
  }
}

function key(path: string, digest: string | null): string {
  return `${digest ?? 'gone'} ${path}`;
}
