import type { Parsed, TestReport } from '../../domain/entities/test-report.ts';
import { eachLine } from '../coverage-reports/each-line.ts';
import { ReportBuilder } from './report-builder.ts';
import { TapDocument } from './tap-document.ts';
import { readTapLine, type TapLine } from './tap-line.ts';

/** A diagnostic longer than this is cut; it is shown, never read. */
const LONGEST_YAML = 4000;
/** Indentation beyond this is output of a test, not a subtest. */
const DEEPEST = 50;

export interface TapOptions {
  /** A subtest with nothing but assertions inside is one test, as in node-tap; otherwise each result is one. */
  subtestsAreTests?: boolean;
}

/** Reads TAP 12, 13 and 14, several documents after each other too. Lines that are no TAP are somebody's output. */
export function parseTap(text: string, { subtestsAreTests = false }: TapOptions = {}): Parsed<TestReport> {
  const report = new ReportBuilder('tap');
  let document = new TapDocument(report, subtestsAreTests);
  let sawTap = false;
  let yaml: { indent: number; text: string } | undefined;
  /** A diagnostic stands right under its result, two columns in. */
  let yamlIndent: number | undefined;
  for (const line of eachLine(text)) {
    const indent = indentOf(line);
    const content = line.slice(indent).trimEnd();
    if (yaml !== undefined) {
      if (content === '...' && indent === yaml.indent) {
        document.diagnose(yaml.text);
        yaml = undefined;
      } else if (yaml.text.length < LONGEST_YAML) yaml.text += `${line.slice(yaml.indent)}\n`;
      continue;
    }
    if (content === '---' && indent === yamlIndent) {
      yaml = { indent, text: '' };
      continue;
    }
    const read: TapLine =
      indent % 4 === 0 && indent / 4 <= DEEPEST ? readTapLine(content) : { type: 'other' };
    yamlIndent = read.type === 'point' ? indent + 2 : undefined;
    if (read.type === 'version' && indent === 0) {
      if (!document.isEmpty) document.end();
      document = new TapDocument(report, subtestsAreTests);
    }
    if (read.type !== 'other' && read.type !== 'comment') sawTap = true;
    document.add(read, indent / 4);
  }
  if (!sawTap) return { ok: false, why: 'is no TAP: it has neither a version, a plan nor a result' };
  if (yaml !== undefined)
    report.addFault('The TAP ends in the middle of a diagnostic.', undefined, { code: 'cut-off' });
  document.end();
  return { ok: true, value: report.build() };
}

function indentOf(line: string): number {
  let indent = 0;
  while (line[indent] === ' ') indent += 1;
  return indent;
}
