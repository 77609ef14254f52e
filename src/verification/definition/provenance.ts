import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { definitionDigest } from '../../domain/protection/project-paths.ts';
import { basesAmong } from '../../platform/git/git-refs.ts';
import type { Repository } from '../../platform/git/repository.ts';
import { acceptanceSchema } from '../../store/ledger/kinds/protection/acceptance-recorded.ts';
import {
  definitionProposedSchema,
  definitionRecordedSchema,
  definitionsTrustedSchema,
} from '../../store/ledger/kinds/protection/definitions.ts';
import type { Ledger } from '../../store/ledger/ledger.ts';
import { findTips } from '../../store/ledger/tables/last-seen-refs.ts';

/** Which versions of definitions are a person's. Author names of commits never count. */
export interface Provenance {
  /** Commits whose definitions, with all earlier ones, are a person's. */
  trusted: readonly string[];
  /** Those of them that a person or the remote confirmed; the others appeared while no agent was working. */
  confirmed: readonly string[];
  /** Whether this content of a path is a person's; undefined is a deleted file. */
  isPersons(path: string, content: Uint8Array | undefined): boolean;
  /**
   * Whether an agent proposed it and nobody accepted it since: then no commit makes it a person's. A person's older version
   * can be a proposal only after some commit; `isAfter` tells whether that is the case.
   */
  isProposed(path: string, content: Uint8Array | undefined, isAfter: (commit: string) => boolean): boolean;
  /** Whether a person wrote another version after this one: an agent that brings it back does not act for them. */
  isReplaced(path: string, content: Uint8Array | undefined, by: Uint8Array | undefined): boolean;
  /** Whether it is the last one that a person wrote. */
  isLatest(path: string, content: Uint8Array | undefined): boolean;
  /** Paths with a version proposed by an agent. */
  proposedPaths: ReadonlySet<string>;
}

/** Undefined if no agent was ever watched in this project: everything is then a person's. */
export function readProvenance(ledger: Ledger, project: string, commonDir: string): Provenance | undefined {
  const trusted = ledger
    .entries(project, { kind: 'definitions_trusted' })
    .map(({ body }) => definitionsTrustedSchema.parse(body).commit);
  const tips = findTips(ledger, realpathSync(commonDir))?.reading.known;
  const recorded = ledger
    .entries(project, { kind: 'definition_recorded' })
    .map(({ number, body }) => ({ number, ...definitionRecordedSchema.parse(body) }));
  const accepted = ledger
    .entries(project, { kind: 'acceptance_recorded' })
    .map(({ number, body }) => ({ number, ...acceptanceSchema.parse(body) }));
  const proposed = ledger
    .entries(project, { kind: 'definition_proposed' })
    .map(({ number, body }) => ({ number, ...definitionProposedSchema.parse(body) }));
  if (trusted.length === 0 && tips === undefined && proposed.length === 0) return undefined;
  const persons = lastRecorded([...recorded, ...accepted]);
  const agents = lastRecorded(proposed.filter(({ after }) => after === undefined));
  const broughtBack = proposed.flatMap(({ after, ...one }) =>
    after === undefined ? [] : [{ ...one, after }],
  );
  const latest = new Map<string, number>();
  for (const { path, number } of [...recorded, ...accepted])
    latest.set(path, Math.max(number, latest.get(path) ?? 0));
  return {
    trusted: [...new Set([...trusted, ...(tips ?? [])])],
    confirmed: [...new Set(trusted)],
    isPersons: (path, content) => persons(path, content) > agents(path, content),
    isProposed(path, content, isAfter) {
      const own = persons(path, content);
      if (agents(path, content) > own) return true;
      const digest = content ? definitionDigest(content) : null;
      return broughtBack.some(
        (one) => one.path === path && one.digest === digest && one.number > own && isAfter(one.after),
      );
    },
    isReplaced: (path, content, by) => persons(path, by) > persons(path, content),
    isLatest: (path, content) => latest.get(path) === persons(path, content),
    proposedPaths: new Set(proposed.map(({ path }) => path)),
  };
}

interface RecordedVersion {
  number: number;
  path: string;
  digest: string | null;
}

/** The number of a version's last entry; 0 for none. */
function lastRecorded(
  versions: readonly RecordedVersion[],
): (path: string, content: Uint8Array | undefined) => number {
  const numbers = new Map<string, number>();
  for (const { number, path, digest } of versions) {
    const version = key(path, digest);
    numbers.set(version, Math.max(number, numbers.get(version) ?? 0));
  }
  const numberOf = (path: string, digest: string | null) => numbers.get(key(path, digest)) ?? 0;
  return (path, content) => {
    if (content === undefined) return numberOf(path, null);
    // An acceptance records the bytes of the working file.
    return Math.max(numberOf(path, definitionDigest(content)), numberOf(path, rawDigest(content)));
  };
}

/** Changes whenever a version may have become a person's. */
export function provenanceStamp(ledger: Ledger, project: string): string {
  const { database, attempt } = ledger.file;
  const last = attempt(() =>
    database
      .prepare(
        `SELECT max(number) FROM entries WHERE project = ?
         AND kind IN ('definitions_trusted', 'definition_recorded', 'definition_proposed', 'acceptance_recorded')`,
      )
      .pluck()
      .get(project),
  );
  return String(last ?? 0);
}

function rawDigest(content: Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}

function key(path: string, digest: string | null): string {
  return `${digest ?? 'gone'} ${path}`;
}

/** Which parts of a base are a person's. */
export interface BaseProvenance {
  /** The nearest commits in the base's history that are a person's; the base itself, if it is one. */
  commits: readonly string[];
  provenance: Provenance;
}

/** Undefined if no agent was ever watched in this project: everything is then a person's. */
export function findBaseProvenance(
  ledger: Ledger,
  project: string,
  { folder: { gitDir, commonDir } }: Repository,
  base: string,
): BaseProvenance | undefined {
  const provenance = readProvenance(ledger, project, commonDir);
  return provenance && { commits: basesAmong(gitDir, provenance.trusted, base), provenance };
}
