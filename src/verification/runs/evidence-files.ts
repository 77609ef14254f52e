import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { type Evidence, MAX_NAMED_RESULTS, type TestSummary } from '../../domain/entities/evidence.ts';
import { type ReportFault, TEST_STATUSES, type TestResult } from '../../domain/entities/test-report.ts';
import { sha256 } from '../../domain/json/json.ts';
import { writeFileAtomic } from '../../platform/files/atomic-file.ts';
import { countTests } from './count-tests.ts';

/** Logs and named results, too long for the ledger, which keeps their digests. */
export function evidenceFolder({ home, project }: { home: string; project: string }): string {
  return join(home, 'evidence', project);
}

const savedResultsSchema = z.array(
  z.object({
    name: z.string(),
    file: z.string().optional(),
    package: z.string().optional(),
    status: z.enum(TEST_STATUSES),
  }),
);

/** Writes every named result into a file, and sums them up for the ledger. */
export function saveTestResults(
  place: { home: string; project: string },
  id: string,
  results: readonly TestResult[],
  faults: readonly ReportFault[],
  runners: readonly string[],
): TestSummary {
  const text = JSON.stringify(
    results.map(({ name, file, package: home, status }) => ({ name, file, package: home, status })),
  );
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

/** The named results of a run, if the file is still the one that was recorded. */
export function readTestResults(
  place: { home: string; project: string },
  { id, tests }: Evidence,
): TestResult[] | undefined {
  if (!tests) return undefined;
  try {
    const text = readFileSync(join(evidenceFolder(place), `${id}.tests.json`), 'utf8');
    if (sha256(text) !== tests.results_digest) return undefined;
    return savedResultsSchema.parse(JSON.parse(text)).map(({ name, file, package: home, status }) => ({
      name,
      status,
      ...(file === undefined ? {} : { file }),
      ...(home === undefined ? {} : { package: home }),
    }));
  } catch {
    // Safe: whoever asked runs the tests again.
    return undefined;
  }
}
