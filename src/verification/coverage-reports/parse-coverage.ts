import type { Parsed } from '../../domain/entities/test-report.ts';
import { parseCobertura, type RootedCoverageReport } from './cobertura.ts';
import { readCoveragePy } from './coverage-py.ts';
import { parseGoCover } from './go-cover.ts';
import { readIstanbul, readIstanbulSummary } from './istanbul.ts';
import { parseLcov } from './lcov.ts';
import { parseJson } from './report-text.ts';

/** Larger than the report of any supported program. */
const MAX_CHARACTERS = 256 * 1024 * 1024;

/** Reads a coverage report in any known format, recognized by its content, not its name. */
export function parseCoverage(text: string): Parsed<RootedCoverageReport> {
  if (text.length > MAX_CHARACTERS)
    return { ok: false, why: `it is larger than ${MAX_CHARACTERS} characters` };
  const start = text.slice(0, 1000).trimStart();
  if (start === '') return { ok: false, why: 'it is empty' };
  if (start.startsWith('<')) return parseCobertura(text);
  if (start.startsWith('mode:')) return parseGoCover(text);
  if (start.startsWith('{')) return parseJsonCoverage(text);
  if (/^(?:TN|SF):|^#/.test(start)) return parseLcov(text);
  return {
    ok: false,
    why: 'it has an unknown format; supported: lcov, Cobertura, istanbul, coverage.py, go cover',
  };
}

function parseJsonCoverage(text: string): Parsed<RootedCoverageReport> {
  const parsed = parseJson(text);
  if (!parsed.ok) return parsed;
  const { value } = parsed;
  if (has(value, 'meta') && has(value, 'files') && has(value, 'totals')) return readCoveragePy(value);
  const [first] = Object.values(value);
  if (has(first, 'statementMap')) return readIstanbul(value);
  if (has(first, 'lines')) return readIstanbulSummary(value);
  return { ok: false, why: 'it is JSON, but from neither istanbul nor coverage.py' };
}

function has(value: unknown, key: string): boolean {
  return value !== null && typeof value === 'object' && Object.hasOwn(value, key);
}
