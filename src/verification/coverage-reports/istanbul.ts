import * as z from 'zod';
import type { CoverageReport } from '../../domain/entities/coverage-report.ts';
import type { Parsed } from '../../domain/entities/test-report.ts';
import { LineCollector } from './line-collector.ts';
import { parseJson, quoted, reportPath } from './report-text.ts';

const fileSchema = z.object({
  statementMap: z.record(z.string(), z.object({ start: z.object({ line: z.number() }) })),
  s: z.record(z.string(), z.number()),
});

/** Reads istanbul's `coverage-final.json`; as in istanbul, a line has the hits of its most executed statement. */
export function parseIstanbul(text: string): Parsed<CoverageReport> {
  const parsed = parseJson(text);
  return parsed.ok ? readIstanbul(parsed.value) : refused(parsed.why);
}

export function readIstanbul(files: object): Parsed<CoverageReport> {
  const collector = new LineCollector();
  for (const [given, value] of Object.entries(files)) {
    const path = reportPath(given);
    const file = fileSchema.safeParse(value);
    if (path === '' || !file.success) return refused(`${quoted(given)} has no statements`);
    const { statementMap, s } = file.data;
    const statements = Object.entries(statementMap);
    if (statements.length !== Object.keys(s).length) {
      return refused(
        `${quoted(path)} has ${statements.length} statements but ${Object.keys(s).length} counts`,
      );
    }
    collector.open(path);
    for (const [id, { start }] of statements) {
      const hits = s[id];
      if (hits === undefined) return refused(`${quoted(path)} has no count for statement ${quoted(id)}`);
      const why = collector.add(path, start.line, hits);
      if (why) return refused(why);
    }
  }
  const found = collector.files();
  if (found.length === 0) return refused('it has no file');
  return { ok: true, value: { format: 'istanbul', files: found } };
}

function refused(why: string): Parsed<never> {
  return { ok: false, why: `invalid istanbul report: ${why}` };
}
