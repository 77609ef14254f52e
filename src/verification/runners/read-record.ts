import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Parsed, ReportFault, TestReport } from '../../domain/entities/test-report.ts';
import { isObject } from '../../domain/json/plain-shape.ts';
import { ReportBuilder } from '../test-reports/report-builder.ts';
import { parseReport } from '../test-reports/report-formats.ts';
import { readJson, textOf } from '../test-reports/untyped-json.ts';

export interface RunnerRecord {
  /** The key that sealed it; none for a runner without a tap. */
  key: string | undefined;
  report: TestReport;
}

const FORGED = { ok: false, code: 'forged', why: 'was not written by the test runner' } as const;

/** Reads the record that the tap in a runner's main process wrote: its seal, exit status and report. */
export function readRecord(text: string, keys: ReadonlyMap<string, string>): Parsed<RunnerRecord> {
  const [header, signed] = cut(text);
  const seal = readJson(header);
  if (!seal.ok || !isObject(seal.value) || seal.value.guardkit !== 'record') return FORGED;
  const key = textOf(seal.value.key) ?? '';
  const secret = keys.get(key);
  if (secret === undefined || !sealedBy(secret, signed, textOf(seal.value.mac))) return FORGED;
  const [facts, body] = cut(signed);
  const ended = readJson(facts);
  if (!ended.ok || !isObject(ended.value)) return FORGED;
  const runner = textOf(ended.value.runner) ?? 'a test runner';
  const { exitCode, idle, faults } = ended.value;
  const parsed = body.trim() === '' ? withoutReport(runner, exitCode, idle === true) : parseReport(body);
  if (!parsed.ok) return parsed;
  const report = { ...parsed.value, faults: [...parsed.value.faults, ...readFaults(faults)] };
  return { ok: true, value: { key, report } };
}

/** Reads a fault from a runner's worker. It has no seal, since it can only count against the change. */
export function readFault(text: string): ReportFault {
  const json = readJson(text);
  const [fault] = json.ok ? readFaults([json.value]) : [];
  return fault ?? { message: 'A worker of the test runner sent a malformed error record.' };
}

function readFaults(faults: unknown): ReportFault[] {
  if (!Array.isArray(faults)) return [];
  const report = new ReportBuilder('');
  for (const fault of faults) {
    if (!isObject(fault)) continue;
    const about = fault.code === 'assertions-replaced' ? { code: 'assertions-replaced' as const } : {};
    report.addFault(textOf(fault.message) ?? '', textOf(fault.file), about);
  }
  return report.build().faults;
}

function withoutReport(runner: string, exitCode: unknown, idle: boolean): Parsed<TestReport> {
  const report: TestReport = { runner, tests: [], faults: [] };
  return { ok: true, value: idle ? report : endedEarly(runner, exitCode) };
}

function endedEarly(runner: string, exitCode: unknown): TestReport {
  const message = `${runner} exited with code ${textOf(exitCode)} before any result.`;
  return { runner, tests: [], faults: [{ code: 'ended-early', message }] };
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
