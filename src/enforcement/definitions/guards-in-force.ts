import { guardFilesStamp } from '../config/guard-files-stamp.ts';
import { type Keeping, keepingOf } from '../config/keeping.ts';
import { configureGuards } from '../guards/configure-guards.ts';
import type { Guard } from '../guards/guard.ts';
import type { GuardSources } from '../guards/guard-sources.ts';
import { type AskedGuard, readAskedGuards } from '../store/ledger/learned-guards.ts';
import { findLastReading, keepReading } from '../store/ledger/readings.ts';
import type { Enforcement } from './open-enforcement.ts';

export interface GuardsInForce {
  guards: Guard[];
  /** `protected:` of the configuration. */
  globs: readonly string[];
  /** What a person has to mend, a line each. */
  faults: string[];
  /** Some guard wants to know what GuardKit has seen pass. */
  asksForEvidence: boolean;
  keeping: Keeping;
}

/**
 * The guards as the project's files say them. While an agent acts they stay as they were: what the files say then may be
 * the agent's doing, and is not known to stand.
 */
export async function guardsInForce(
  { ledger, project, checkout }: Enforcement,
  { quiet }: { quiet: () => boolean },
): Promise<GuardsInForce> {
  const key = `guards of ${project} in ${checkout}`;
  const known = findLastReading(ledger, key);
  // Only this function writes it, from what was read by schema.
  const last = known?.body as GuardSources | undefined;
  const stamp = guardFilesStamp(checkout);
  const learned = readAskedGuards(ledger, project);
  if (last && (known?.stamp === stamp || !quiet())) return inForce(last, learned);
  const { readGuardSources } = await import('../guards/guard-sources.ts');
  const sources = await readGuardSources(checkout, last);
  keepReading(ledger, key, stamp, sources);
  return inForce(sources, learned);
}

function inForce(
  { settings, globs, files, faults, keeping = keepingOf(undefined) }: GuardSources,
  learned: readonly AskedGuard[],
): GuardsInForce {
  return {
    guards: configureGuards(settings, files, learned),
    globs,
    faults: faults.map(({ file, line, message }) => `${file}:${line}: ${message}`),
    asksForEvidence: files.some(({ definition }) => definition.requires !== undefined),
    keeping,
  };
}
