import { constants, type Dirent, readdirSync } from 'node:fs';
import { open, readdir, realpath, stat } from 'node:fs/promises';
import { join, relative, resolve, sep } from 'node:path';
import type { Parsed, TestReport, UnreadableCode } from '../../domain/entities/test-report.ts';
import { globMatcher } from '../../domain/protection/fits-glob.ts';
import { parseReport } from '../test-reports/report-formats.ts';

const LARGEST = 200 * 1024 * 1024;

/** Reads a file that the candidate may have planted: no links, no pipes, limited size. */
export async function readReportFile(path: string, writtenAfter?: number): Promise<Parsed<string>> {
  try {
    const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const facts = await file.stat();
      if (!facts.isFile()) return { ok: false, code: 'not-a-file', why: 'is not a regular file' };
      if (facts.size > LARGEST)
        return { ok: false, code: 'too-large', why: `is larger than ${LARGEST / 1024 / 1024} MB` };
      // The time of the last status change, which no program can set.
      if (writtenAfter !== undefined && facts.ctimeMs < writtenAfter) {
        return { ok: false, code: 'stale', why: 'is older than this run' };
      }
      // Reads up to the measured size, since the file may still grow.
      const bytes = Buffer.alloc(facts.size);
      let filled = 0;
      while (filled < bytes.length) {
        const { bytesRead } = await file.read(bytes, filled, bytes.length - filled, filled);
        if (bytesRead === 0) break;
        filled += bytesRead;
      }
      return { ok: true, value: bytes.subarray(0, filled).toString('utf8') };
    } finally {
      await file.close();
    }
  } catch (error) {
    const isLink = error instanceof Error && 'code' in error && error.code === 'ELOOP';
    return { ok: false, ...(isLink ? { code: 'not-a-file' } : {}), why: `cannot be read: ${reason(error)}` };
  }
}

function reason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ELOOP') return 'it is a symbolic link';
  return code === 'ENOENT' ? 'there is no such file' : (code ?? error.message);
}

interface DeclaredReport {
  root: string;
  declaredReport: string;
  startedAt: number | undefined;
}

interface Found {
  reports: TestReport[];
  unreadable: { path: string; code?: UnreadableCode | undefined; why: string }[];
}

const MOST_FILES = 5000;

/**
 * Reads the report declared in the configuration: one file in the tree, or a folder of them, as Surefire writes; with `*`,
 * every file or folder that fits. Any test can write there too, so it is only as trustworthy as that code.
 */
export async function readDeclaredReport({
  root,
  declaredReport,
  startedAt,
}: DeclaredReport): Promise<Found> {
  const found: Found = { reports: [], unreadable: [] };
  const places = declaredPlaces(root, declaredReport);
  for (const place of places) {
    const one = await readPlace(root, place, startedAt);
    found.reports.push(...one.reports);
    found.unreadable.push(...one.unreadable);
  }
  if (places.length === 0) found.unreadable.push(notWritten(declaredReport));
  return found;
}

function notWritten(path: string): Found['unreadable'][number] {
  return { path, code: 'not-in-tree', why: 'was not written by this run' };
}

const MOST_FOLDERS = 20_000;
const NEVER = /^(?:\.git|node_modules)$/;

/** The paths that a declared report means: itself, or with `*` the files and folders of the tree that fit. */
export function declaredPlaces(root: string, declared: string): string[] {
  if (!declared.includes('*')) return [declared];
  const fits = globMatcher(declared);
  const found: string[] = [];
  const open = [''];
  for (let read = 0; read < MOST_FOLDERS && open.length > 0; read += 1) {
    const folder = open.pop() ?? '';
    for (const entry of entriesOf(join(root, folder))) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (fits(path)) found.push(path);
      else if (entry.isDirectory() && !NEVER.test(entry.name)) open.push(path);
    }
  }
  return found.sort();
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    // Safe: a report that cannot be found proves nothing.
    return [];
  }
}

async function readPlace(
  root: string,
  declaredReport: string,
  startedAt: number | undefined,
): Promise<Found> {
  const found: Found = { reports: [], unreadable: [] };
  const path = await placeInside(root, declaredReport);
  if (path === undefined) {
    found.unreadable.push(notWritten(declaredReport));
    return found;
  }
  const folder = (await stat(path)).isDirectory();
  const files = folder ? await reportsIn(path) : [path];
  if (files.length === 0)
    found.unreadable.push({
      path: declaredReport,
      code: 'empty-folder',
      why: 'is a folder without a report',
    });
  for (const file of files) {
    const text = await readReportFile(file, startedAt);
    const report = text.ok ? parseReport(text.value) : text;
    if (report.ok) found.reports.push(report.value);
    else found.unreadable.push({ path: relative(root, file), code: report.code, why: report.why });
  }
  return found;
}

/** The real path, if it is inside the real root: a link may lead anywhere. */
async function placeInside(root: string, declared: string): Promise<string | undefined> {
  try {
    const top = await realpath(root);
    const path = await realpath(resolve(top, declared));
    return path.startsWith(`${top}${sep}`) ? path : undefined;
  } catch {
    // Safe: undefined means that it does not exist.
    return undefined;
  }
}

async function reportsIn(folder: string): Promise<string[]> {
  const names = (await readdir(folder)).filter((name) => /\.(?:xml|json|tap)$/.test(name)).sort();
  return names.slice(0, MOST_FILES).map((name) => join(folder, name));
}
