import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { writeFileAtomic } from '../../platform/files/atomic-file.ts';
import { isRunning, readProcess } from '../../platform/processes/process-table.ts';
import { dashboardFolder } from './access.ts';

const portSchema = z.int().min(1).max(65_535);
const serverSchema = z.strictObject({ pid: z.int(), started: z.number(), port: portSchema });

/** Pages stay bookmarked and signed in only if the port stays. */
export function rememberedPort(dataFolder: string): number | undefined {
  return portSchema.safeParse(Number(readText(join(dashboardFolder(dataFolder), 'port')))).data;
}

/** Records that this process serves the dashboard. */
export function noteServer(dataFolder: string, port: number): void {
  const folder = dashboardFolder(dataFolder);
  const server = { pid: process.pid, started: readProcess(process.pid)?.started, port };
  writeFileAtomic(join(folder, 'port'), `${port}\n`, 0o600);
  writeFileAtomic(join(folder, 'server.json'), `${JSON.stringify(server)}\n`, 0o600);
}

/** Unless this process serves on another port by now, or another process does. */
export function forgetServer(dataFolder: string, port: number): void {
  const file = join(dashboardFolder(dataFolder), 'server.json');
  const server = readServer(file);
  if (server?.pid === process.pid && server.port === port) rmSync(file, { force: true });
}

/** The port of the process that serves the dashboard now; undefined if none does. */
export function runningPort(dataFolder: string): number | undefined {
  const server = readServer(join(dashboardFolder(dataFolder), 'server.json'));
  return server && isRunning(server) ? server.port : undefined;
}

function readServer(file: string): z.infer<typeof serverSchema> | undefined {
  try {
    return serverSchema.parse(JSON.parse(readText(file)));
  } catch {
    // Safe: without a readable file there is no known server.
    return undefined;
  }
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    // Safe: no schema accepts an empty text.
    return '';
  }
}
