import type { CoverageReport } from '../../domain/entities/coverage-report.ts';
import type { Parsed } from '../../domain/entities/test-report.ts';
import { LineCollector, MAX_LINES } from './line-collector.ts';
import { eachLine, quoted, reportPath } from './report-text.ts';

const BLOCK = /^(\d{1,9})\.\d{1,9},(\d{1,9})\.\d{1,9} (\d{1,9}) (\d+)$/;

/**
 * Reads the profile of `go test -coverprofile`. It has blocks, not lines: every line of a block with statements counts,
 * and a line in two blocks ran if one of them did.
 */
export function parseGoCover(text: string): Parsed<CoverageReport> {
  const collector = new LineCollector();
  let mode = false;
  let blocks = 0;
  let work = 0;
  for (const line of eachLine(text)) {
    if (line === '') continue;
    // Profiles of several runs are often concatenated, each with its mode.
    if (/^mode: (?:set|count|atomic)$/.test(line)) {
      mode = true;
      continue;
    }
    const colon = line.lastIndexOf(':');
    const match = BLOCK.exec(line.slice(colon + 1));
    const path = reportPath(line.slice(0, Math.max(colon, 0)));
    if (!mode || !match || path === '') return refused(`${quoted(line)} is not a block`);
    const [start = 0, end = 0, statements = 0, hits = 0] = match.slice(1).map(Number);
    if (end < start) return refused(`${quoted(line)} ends before it begins`);
    blocks++;
    collector.open(path);
    if (statements === 0) continue;
    work += end - start + 1;
    if (end - start >= MAX_LINES || work > 4 * MAX_LINES) return refused('its blocks have too many lines');
    for (let number = start; number <= end; number++) {
      const why = collector.add(path, number, hits);
      if (why) return refused(why);
    }
  }
  if (blocks === 0) return refused('it has no block');
  return { ok: true, value: { format: 'go-cover', files: collector.files() } };
}

function refused(why: string): Parsed<never> {
  return { ok: false, why: `invalid Go cover profile: ${why}` };
}
