import type { CoverageReport } from '../../domain/entities/coverage-report.ts';
import type { Parsed } from '../../domain/entities/test-report.ts';
import { addLine, LineCollector, sumLines } from './line-collector.ts';
import { eachLine, quoted, reportPath } from './report-text.ts';

/** One record, from `SF:` to `end_of_record`. */
interface LcovRecord {
  path: string;
  /** Line records, and those with hits. */
  listed: { total: number; covered: number };
  lines: Map<number, number>;
  claimed: { total?: number; covered?: number };
}

/** Reads lcov's tracefile. Totals are recomputed from the lines, and a report whose own totals differ is refused. */
export function parseLcov(text: string): Parsed<CoverageReport> {
  const collector = new LineCollector();
  let record: LcovRecord | undefined;
  let records = 0;
  for (const line of eachLine(text)) {
    if (line.startsWith('SF:')) {
      if (record) return refused(`a record starts inside that of ${quoted(record.path)}`);
      const path = reportPath(line.slice(3));
      if (path === '') return refused('a record names no file');
      record = { path, listed: { total: 0, covered: 0 }, lines: new Map(), claimed: {} };
      records++;
      continue;
    }
    if (line === 'end_of_record') {
      if (!record) return refused('a record ends without a start');
      const why = contradiction(record) ?? collector.addAll(record.path, record.lines);
      if (why) return refused(why);
      record = undefined;
      continue;
    }
    const why = readField(line, record);
    if (why) return refused(why);
  }
  if (record) return refused(`it ends inside the record of ${quoted(record.path)}`);
  if (records === 0) return refused('it has no record of any file');
  return { ok: true, value: { format: 'lcov', files: collector.files() } };
}

function readField(line: string, record: LcovRecord | undefined): string | undefined {
  const key = line.slice(0, 3);
  if (key !== 'DA:' && key !== 'LF:' && key !== 'LH:') return undefined;
  if (!record) return `${quoted(line)} is outside any record`;
  const comma = line.indexOf(',');
  const first = wholeNumber(line.slice(3, comma === -1 ? undefined : comma));
  if (key !== 'DA:') {
    if (first === undefined) return `${quoted(record.path)} has ${quoted(line)}`;
    record.claimed[key === 'LF:' ? 'total' : 'covered'] = first;
    return undefined;
  }
  // A checksum of the line may follow.
  const end = line.indexOf(',', comma + 1);
  const hits = comma === -1 ? undefined : wholeNumber(line.slice(comma + 1, end === -1 ? undefined : end));
  if (first === undefined || hits === undefined) return `${quoted(record.path)} has ${quoted(line)}`;
  record.listed.total++;
  if (hits > 0) record.listed.covered++;
  return addLine(record.path, record.lines, first, hits);
}

/**
 * If a line is listed twice, writers differ on whether their totals count it once. lab lists blank lines and comments as
 * covered, and leaves them out of its totals.
 */
function contradiction({ path, listed, lines, claimed }: LcovRecord): string | undefined {
  const once = sumLines(lines);
  const { total, covered } = claimed;
  const agrees = (listed: { total: number; covered: number }) =>
    (total ?? listed.total) === listed.total && (covered ?? listed.covered) === listed.covered;
  if (agrees(listed) || agrees(once)) return undefined;
  const missed = once.total - once.covered;
  const isByLab = total !== undefined && covered !== undefined && total <= once.total;
  if (isByLab && total - covered === missed) return undefined;
  return `${quoted(path)} reports ${covered ?? '?'} covered lines of ${total ?? '?'} but lists ${once.covered} of ${once.total}`;
}

function wholeNumber(text: string): number | undefined {
  return /^\d+$/.test(text) ? Number(text) : undefined;
}

function refused(why: string): Parsed<never> {
  return { ok: false, why: `invalid lcov report: ${why}` };
}
