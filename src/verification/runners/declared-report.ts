import { readdir, realpath, stat } from 'node:fs/promises';
import { join, relative, resolve, sep } from 'node:path';
import type { TestReport, UnreadableCode } from '../../domain/entities/test-report.ts';
import { parseReport } from '../test-reports/report-formats.ts';
import { readReportFile } from './read-report-file.ts';

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
 * Reads the report that the config names, in the tree: one file, or a folder of them as Surefire makes. It is as honest
 * as the code that writes it, since any test can write there too.
 */
export async function readDeclaredReport({
  root,
  declaredReport,
  startedAt,
}: DeclaredReport): Promise<Found> {
  const found: Found = { reports: [], unreadable: [] };
  const path = await placeInside(root, declaredReport);
  if (path === undefined) {
    found.unreadable.push({
      path: declaredReport,
      code: 'not-in-tree',
      why: 'is not in the tree after this run',
    });
    return found;
  }
  const folder = (await stat(path)).isDirectory();
  const files = folder ? await reportsIn(path) : [path];
  if (files.length === 0)
    found.unreadable.push({
      path: declaredReport,
      code: 'empty-folder',
      why: 'is a folder without reports',
    });
  for (const file of files) {
    const text = await readReportFile(file, startedAt);
    const report = text.ok ? parseReport(text.value) : text;
    if (report.ok) found.reports.push(report.value);
    else found.unreadable.push({ path: relative(root, file), code: report.code, why: report.why });
  }
  return found;
}

/** The real place, if it is below the real root: a link may lead anywhere. */
async function placeInside(root: string, declared: string): Promise<string | undefined> {
  try {
    const top = await realpath(root);
    const path = await realpath(resolve(top, declared));
    return path.startsWith(`${top}${sep}`) ? path : undefined;
  } catch {
    // Safe: not there is the answer.
    return undefined;
  }
}

async function reportsIn(folder: string): Promise<string[]> {
  const names = (await readdir(folder)).filter((name) => /\.(?:xml|json|tap)$/.test(name)).sort();
  return names.slice(0, MOST_FILES).map((name) => join(folder, name));
}
