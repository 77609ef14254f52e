import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import {
  type Evidence,
  evidenceSchema,
  MAX_NAMED_RESULTS,
  type TestSummary,
} from '../../domain/entities/evidence.ts';
import {
  REPORT_FAULT_CODES,
  type ReportFault,
  TEST_STATUSES,
  type TestResult,
} from '../../domain/entities/test-report.ts';
import { sha256 } from '../../domain/json/json.ts';
import { scrubSecrets } from '../../domain/secrets/scrub-secrets.ts';
import { writeFileAtomic } from '../../platform/files/atomic-file.ts';
import type { Ledger } from '../../store/ledger/ledger.ts';
import { countTests } from '../test-reports/merge-reports.ts';
import type { RunContext } from './run-context.ts';

/** Logs and named results: too long for the ledger, which keeps their digests. */
export function evidenceFolder({ home, project }: { home: string; project: string }): string {
  return join(home, 'evidence', project);
}

/** With messages and places, since they decide whether a failure counts: a reused run must be judged like the first time. */
const savedResultsSchema = z.object({
  results: z.array(
    z.object({
      name: z.string(),
      file: z.string().optional(),
      package: z.string().optional(),
      status: z.enum(TEST_STATUSES),
      message: z.string().optional(),
      unfinished: z.literal(true).optional(),
    }),
  ),
  faults: z.array(
    z.object({
      file: z.string().optional(),
      package: z.string().optional(),
      message: z.string(),
      places: z
        .array(z.object({ file: z.string(), line: z.number(), column: z.number(), message: z.string() }))
        .optional(),
      code: z.enum(REPORT_FAULT_CODES).optional(),
    }),
  ),
});

interface SavedResults {
  results: readonly TestResult[];
  faults: readonly ReportFault[];
}

/** Writes every named result and fault to a file and summarizes them for the ledger. */
export function saveTestResults(
  place: { home: string; project: string },
  id: string,
  results: readonly TestResult[],
  faults: readonly ReportFault[],
  runners: readonly string[],
): TestSummary {
  const kept: SavedResults = {
    results: results.map(withoutSecrets),
    faults: faults.map(({ places, ...fault }) => ({
      ...withoutSecrets(fault),
      ...(places ? { places: places.map(withoutSecrets) } : {}),
    })),
  };
  const text = JSON.stringify(kept);
  writeFileAtomic(join(evidenceFolder(place), `${id}.tests.json`), text, 0o600);
  return {
    ...countTests(results),
    runners: [...new Set(runners)],
    faults: faults
      .slice(0, 50)
      .map(({ file, message }) => `${file ? `${file}: ` : ''}${message}`.slice(0, 1000)),
    named: [...results]
      .sort((a, b) => Number(b.status === 'failed') - Number(a.status === 'failed'))
      .slice(0, MAX_NAMED_RESULTS)
      .map(({ name, file, status }) => ({ name, file: file ?? null, status })),
    results_digest: sha256(text),
  };
}

/** Messages are the project's output; names and places identify tests, so they stay. */
function withoutSecrets<One extends { message?: string | undefined }>(one: One): One {
  return one.message === undefined ? one : { ...one, message: scrubSecrets(one.message) };
}

/** The named results and faults of a run, if the file is still the recorded one. */
export function readTestResults(
  place: { home: string; project: string },
  { id, tests }: Evidence,
): SavedResults | undefined {
  if (!tests) return undefined;
  try {
    const text = readFileSync(join(evidenceFolder(place), `${id}.tests.json`), 'utf8');
    if (sha256(text) !== tests.results_digest) return undefined;
    return savedResultsSchema.parse(JSON.parse(text));
  } catch {
    // Safe: the caller runs the tests again.
    return undefined;
  }
}

/** Records a run in the ledger, from where it is delivered to memory. */
export function recordEvidence({ ledger, project, emit }: RunContext, evidence: Evidence): Evidence {
  ledger.append(project, 'evidence_recorded', evidence);
  emit({ type: 'run_ended', check: evidence.check, on: evidence.tree_is, evidence });
  return evidence;
}

/** The evidence for a tree, newest first. */
export function* evidenceOn(ledger: Ledger, project: string, tree: string): Generator<Evidence> {
  const recorded = ledger.lookup(project, { kind: 'evidence_recorded', field: 'tree', value: tree });
  for (const { body } of recorded) yield evidenceSchema.parse(body);
}

/** All evidence of a project, oldest first. */
export function readEvidence(ledger: Ledger, project: string): (Evidence & { at: string })[] {
  return ledger
    .entries(project, { kind: 'evidence_recorded' })
    .map(({ body, at }) => ({ ...evidenceSchema.parse(body), at }));
}
