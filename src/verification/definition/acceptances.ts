import { createHash } from 'node:crypto';
import { lstatSync, readFileSync, readlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { gitSync } from '../../platform/git/git-sync.ts';
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

/** The bytes of a plain file; undefined for anything else. */
export function workingContent(path: string): Buffer | undefined {
  if (lstatSync(path, { throwIfNoEntry: false })?.isFile() !== true) return undefined;
  try {
    return readFileSync(path);
  } catch {
    // Safe: an unreadable file counts as missing, and accepting that is a separate decision.
    return undefined;
  }
}

/**
 * The digest of what a path is in the checkout: a plain file's bytes, a link's target, a submodule's commit; null for
 * anything else.
 */
export function workingDigest(path: string): string | null {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found?.isSymbolicLink()) return digestOf(Buffer.from(`link to ${readlinkSync(path)}`));
  if (found?.isDirectory()) return submoduleDigest(path);
  const content = workingContent(path);
  return content === undefined ? null : digestOf(content);
}

function submoduleDigest(folder: string): string | null {
  try {
    const [, place] = /^gitdir: (.+)$/m.exec(readFileSync(join(folder, '.git'), 'utf8')) ?? [];
    const commit = place && gitSync(resolve(folder, place), ['rev-parse', '--verify', 'HEAD']);
    return commit ? createHash('sha256').update(commit).digest('hex') : null;
  } catch {
    // Safe: a folder that is not a submodule has no content of its own.
    return null;
  }
}

function key(path: string, digest: string | null): string {
  return `${digest ?? 'gone'} ${path}`;
}
