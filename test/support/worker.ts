import { type ChildProcess, spawn } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { onTestFinished } from 'vitest';
import { ONE_FILE } from './one-file.ts';

// Under node_modules, so that the packages a worker leaves out of its bundle are found from there.
const CACHE = fileURLToPath(new URL('../../node_modules/.cache/guardkit-test/', import.meta.url));

const builds = new Map<string, Promise<string>>();

/** Bundles a TypeScript file into one that Node runs, and gives its path. The path is the same for the same content. */
export function buildWorker(entryTs: string): Promise<string> {
  const entry = resolve(entryTs);
  const known = builds.get(entry);
  if (known) return known;
  const built = bundle(entry);
  builds.set(entry, built);
  return built;
}

async function bundle(entry: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [entry],
    ...ONE_FILE,
    write: false,
  });
  const text = outputFiles[0]?.text ?? '';
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 16);
  const outfile = join(CACHE, `${basename(entry, '.ts')}-${hash}.mjs`);
  mkdirSync(CACHE, { recursive: true });
  // Renamed into place: another test file may be starting the same worker at this moment.
  const unfinished = `${outfile}.${randomUUID()}`;
  writeFileSync(unfinished, text);
  renameSync(unfinished, outfile);
  return outfile;
}

export interface WorkerResult {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

export interface RunWorkerOptions {
  /** Called for each line of standard output, as it comes. */
  onLine?: (line: string) => void;
  env?: NodeJS.ProcessEnv;
}

export interface RunningWorker {
  child: ChildProcess;
  /** Resolves when the process has ended, however it ended, and all it wrote was read. */
  done: Promise<WorkerResult>;
}

const running = new Set<ChildProcess>();

process.on('exit', () => {
  for (const child of running) killGroup(child);
});

/** Starts a worker in a process group of its own, which does not outlive the test. */
export function runWorker(
  path: string,
  args: readonly string[],
  { onLine, env = process.env }: RunWorkerOptions = {},
): RunningWorker {
  const child = spawn(process.execPath, [path, ...args], { detached: true, stdio: 'pipe', env });
  running.add(child);
  const output = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output.stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output.stderr += text;
  });
  // A worker that was killed has closed its end; whoever wrote to it learns of that from `done`.
  child.stdin.on('error', () => {});
  const lines = onLine && createInterface({ input: child.stdout });
  lines?.on('line', (line) => onLine?.(line));
  const done = new Promise<WorkerResult>((resolveDone, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => {
      running.delete(child);
      resolveDone({ code, signal, ...output });
    });
  });
  killAfterTest(child);
  return { child, done };
}

function killAfterTest(child: ChildProcess): void {
  try {
    onTestFinished(() => killGroup(child));
  } catch {
    // Started outside a test, in a hook: it ends with the run.
  }
}

function killGroup(child: ChildProcess): void {
  if (child.pid === undefined || !running.has(child)) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // It ended between the question and the signal.
  }
}
