import { basesAmong } from '../../platform/git/git-bases.ts';
import type { Repository } from '../../platform/git/repository.ts';
import type { Ledger } from '../../store/ledger/ledger.ts';
import { type Provenance, readProvenance } from './provenance.ts';

/** What of a base is a person's. */
export interface BaseProvenance {
  /** The nearest commits of the base's history that are a person's; the base itself, if it is one. */
  commits: readonly string[];
  provenance: Provenance;
}

/** Undefined for a project in which no agent was ever watched: then everything is a person's. */
export function findBaseProvenance(
  ledger: Ledger,
  project: string,
  { folder: { gitDir, commonDir } }: Repository,
  base: string,
): BaseProvenance | undefined {
  const provenance = readProvenance(ledger, project, commonDir);
  return provenance && { commits: basesAmong(gitDir, provenance.trusted, base), provenance };
}
