import { createHash, randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Parsed, ReportFault, TestReport, UnreadableCode } from '../../domain/entities/test-report.ts';
import { makeFolder } from '../../platform/files/make-folder.ts';
import { locateCargoTests, locateGoTests } from '../test-reports/locate-tests.ts';
import { OUTPUT_FORMATS, parseReport } from '../test-reports/report-formats.ts';
import { locateBuiltTests, relativeTo } from '../test-reports/report-paths.ts';
import { type RunnerRecord, readFault, readRecord } from './read-record.ts';
import { readDeclaredReport, readReportFile } from './read-report-file.ts';
import { PYTEST_REPORT } from './runner-environment.ts';

const KEY_FILE = 'key';

/** A folder outside the worktree for the records of one command's test runners. */
export interface ReportsFolder {
  path: string;
  /** The initial content of the key file; see `takenKeys`. */
  firstKey: string;
}

/** Prepares a new folder for one run of one command, of all its tests or of the selected files. */
export function prepareReports(path: string, selection?: TestSelection): ReportsFolder {
  const firstKey = randomBytes(32).toString('hex');
  makeFolder(path, 0o700);
  // Not atomic: nobody reads it before the command starts.
  writeFileSync(join(path, KEY_FILE), firstKey, { flag: 'wx', mode: 0o600 });
  if (selection) writeSelection(path, selection);
  return { path, firstKey };
}

/** In the reports folder; see `writeSelection`. */
const SELECTION_FILE = 'select';

/**
 * The test files that a run is limited to. A runner that cannot be limited without changing its command line runs its
 * whole suite, so the results may contain more tests.
 */
export interface TestSelection {
  /** The tree that the command runs on. */
  root: string;
  /** Test files, relative to `root`. */
  select: readonly string[];
}

/** Writes the selection for the taps. */
function writeSelection(reportsFolder: string, { root, select }: TestSelection): void {
  const files = select.map((file) => join(root, file));
  // Not atomic: the command that reads it has not started yet.
  writeFileSync(join(reportsFolder, SELECTION_FILE), JSON.stringify(files), { flag: 'wx', mode: 0o600 });
}

export interface UnreadableReport {
  path: string;
  code?: UnreadableCode | undefined;
  /** Follows the path in a sentence; for `faulty` it is the whole message. */
  why: string;
}

export interface CollectedReports {
  reports: TestReport[];
  /** An unusable report. A run with one has not proved its results. */
  unreadable: UnreadableReport[];
}

export interface CollectOptions {
  folder: ReportsFolder;
  stdout: string;
  /** The tree that the command ran on. */
  root: string;
  /** `tests.report` of the configuration: a file or a folder of files in the tree. */
  declaredReport?: string | undefined;
  /** Start time of the command in milliseconds: a declared report must be newer. */
  startedAt?: number | undefined;
}

const MOST_FILES = 2000;

/** Collects the results of one command's test runners: their records, the declared report and their output. */
export async function collectReports(options: CollectOptions): Promise<CollectedReports> {
  const { folder, stdout, root, declaredReport, startedAt } = options;
  const collected = await collectRecords(folder);
  if (declaredReport !== undefined) {
    const declared = await readDeclaredReport({ root, declaredReport, startedAt });
    collected.reports.push(...declared.reports);
    collected.unreadable.push(...declared.unreadable);
  }
  collected.reports.push(...readOutput(stdout, collected.reports));
  const reports = collected.reports
    .map(relativeTo(root))
    .map(locateBuiltTests(root))
    .map(locateGoTests(root))
    .map(locateCargoTests(root));
  return { reports, unreadable: collected.unreadable };
}

async function collectRecords(folder: ReportsFolder): Promise<CollectedReports> {
  const found: CollectedReports = { reports: [], unreadable: [] };
  const { secrets, intact } = await takenKeys(folder);
  const names = (await namesIn(folder.path)).filter((name) => name !== KEY_FILE && name !== SELECTION_FILE);
  const sealed = new Set<string>();
  const faults: ReportFault[] = [];
  for (const name of names.slice(0, MOST_FILES)) {
    const file = await readReportFile(join(folder.path, name));
    if (file.ok && name.endsWith('.fault')) {
      faults.push(readFault(file.value));
      continue;
    }
    const read = file.ok ? readOne(name, file.value, secrets) : file;
    if (!read.ok) {
      found.unreadable.push({ path: name, code: read.code, why: read.why });
      continue;
    }
    const { key, report } = read.value;
    if (key !== undefined && sealed.has(key)) {
      found.unreadable.push({
        path: name,
        code: 'repeated',
        why: 'is a second record of the same runner',
      });
      continue;
    }
    if (key !== undefined) sealed.add(key);
    found.reports.push(report);
  }
  const [first] = found.reports;
  if (first) found.reports[0] = { ...first, faults: [...first.faults, ...faults] };
  else
    found.unreadable.push(
      ...faults.map(({ message }) => ({
        path: '.',
        code: 'faulty' as const,
        why: message,
      })),
    );
  if (names.length > MOST_FILES) {
    found.unreadable.push({
      path: '.',
      code: 'too-many',
      why: `has ${names.length} files, more than ${MOST_FILES}`,
    });
  }
  if (!intact)
    found.unreadable.push({
      path: KEY_FILE,
      code: 'key-changed',
      why: 'was removed or changed during the run',
    });
  const silent = intact ? secrets.size - sealed.size : 0;
  if (silent > 0) {
    const runners = silent === 1 ? 'a test runner' : `${silent} test runners`;
    found.unreadable.push({
      path: KEY_FILE,
      code: 'no-record',
      why: `shows that ${runners} started and left no record of results`,
    });
  }
  return found;
}

function readOne(name: string, text: string, keys: ReadonlyMap<string, string>): Parsed<RunnerRecord> {
  if (name !== PYTEST_REPORT) return readRecord(text, keys);
  const report = parseReport(text);
  return report.ok ? { ok: true, value: { key: undefined, report: report.value } } : report;
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).sort();
  } catch {
    // Safe: a removed folder has no records and no key, and the missing key is reported.
    return [];
  }
}

/** Reads the output of runners without records. */
function readOutput(stdout: string, reports: readonly TestReport[]): TestReport[] {
  return OUTPUT_FORMATS.filter(
    ({ name, onlyAlone, recognises }) =>
      !(onlyAlone && reports.length > 0) &&
      !reports.some(({ runner }) => runner === name) &&
      recognises(stdout),
  ).flatMap((format) => {
    const report = format.parse(stdout);
    return report.ok ? [report.value] : [];
  });
}

/** The number of test runners that one command may start. */
const MOST_RUNNERS = 5000;

interface TakenKeys {
  /** The secrets that sealed the runners' records, by their public names. */
  secrets: ReadonlyMap<string, string>;
  /** False if the key file is gone or has content that no runner writes. */
  intact: boolean;
}

/**
 * Finds out which keys were taken. A runner's main process takes the key before any project code runs and leaves a digest
 * of it for the next runner. A test therefore finds the next key, never the key of its own runner: it can neither write
 * nor replace that runner's record, and a removed record is noticed. It can take a further key and add a record, but that
 * is worth no more than a test without assertions: results add up, and a failure of the same name wins.
 *
 * This holds for vitest with workers, jest with workers and `node --test`. Code in the runner's own process
 * (jest --runInBand, a file run by itself, configs and reporters) can do what the runner can; so can a worker that
 * reports false results.
 */
async function takenKeys({ path, firstKey }: ReportsFolder): Promise<TakenKeys> {
  const file = await readReportFile(join(path, KEY_FILE));
  const current = file.ok ? file.value : undefined;
  const secrets = new Map<string, string>();
  let key = firstKey;
  while (key !== current && secrets.size < MOST_RUNNERS) {
    secrets.set(digest('name', key), digest('seal', key));
    key = digest('next', key);
  }
  return { secrets, intact: key === current };
}

/** Must match tap/seal.cjs. */
function digest(purpose: 'name' | 'seal' | 'next', key: string): string {
  return createHash('sha256').update(`${purpose}:${key}`).digest('hex');
}
