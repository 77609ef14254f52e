import { createHmac, timingSafeEqual } from 'node:crypto';
import { isObject } from '../../domain/is-object.ts';
import type { Parsed, TestReport } from '../../domain/test-report.ts';
import { parseReport } from '../test-reports/report-formats.ts';
import { readJson, textOf } from '../test-reports/untyped-json.ts';

export interface RunnerRecord {
  /** Which key sealed it; none for a runner that has no tap. */
  key: string | undefined;
  report: TestReport;
}

const FORGED = 'was not written by the test runner';

/** Reads what the tap in a runner's main process left: who sealed it, what ended how, and the report. */
export function readRecord(text: string, keys: ReadonlyMap<string, string>): Parsed<RunnerRecord> {
  const [header, signed] = cut(text);
  const seal = readJson(header);
  if (!seal.ok || !isObject(seal.value) || seal.value.guardkit !== 'record')
    return { ok: false, why: FORGED };
  const key = textOf(seal.value.key) ?? '';
  const secret = keys.get(key);
  if (secret === undefined || !sealedBy(secret, signed, textOf(seal.value.mac)))
    return { ok: false, why: FORGED };
  const [facts, body] = cut(signed);
  const ended = readJson(facts);
  if (!ended.ok || !isObject(ended.value)) return { ok: false, why: FORGED };
  const runner = textOf(ended.value.runner) ?? 'a test runner';
  if (body.trim() === '')
    return { ok: true, value: { key, report: endedEarly(runner, ended.value.exitCode) } };
  const report = parseReport(body);
  return report.ok ? { ok: true, value: { key, report: report.value } } : report;
}

function endedEarly(runner: string, exitCode: unknown): TestReport {
  const message = `${runner} ended with exit code ${textOf(exitCode)} before it had any result.`;
  return { runner, tests: [], faults: [{ message }] };
}

function sealedBy(secret: string, signed: string, mac: string | undefined): boolean {
  const expected = createHmac('sha256', secret).update(signed).digest();
  const found = Buffer.from(mac ?? '', 'hex');
  return found.length === expected.length && timingSafeEqual(found, expected);
}

function cut(text: string): [string, string] {
  const end = text.indexOf('\n');
  return end === -1 ? [text, ''] : [text.slice(0, end), text.slice(end + 1)];
}
