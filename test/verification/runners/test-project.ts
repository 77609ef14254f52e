import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type ProcessResult, runProcess } from '../../../src/platform/processes/run-process.ts';
import {
  type CollectedReports,
  collectReports,
  prepareReports,
  type ReportsFolder,
} from '../../../src/verification/runners/collect-reports.ts';
import { runnerEnvironment, tapFolder } from '../../../src/verification/runners/runner-environment.ts';

const MODULES = fileURLToPath(new URL('../../../node_modules', import.meta.url));

export interface ProjectOptions {
  /** A `node_modules` folder to use (default: this repository's vitest). */
  modules?: string;
  /** Test files that the run is limited to. */
  select?: readonly string[];
}

/** A project in a separate folder whose test command runs under the taps. */
export class TestProject {
  readonly #home = mkdtempSync(join(tmpdir(), 'guardkit taps-'));
  readonly root = join(this.#home, 'project');
  readonly folder: ReportsFolder;

  constructor(files: Record<string, string>, { modules, select }: ProjectOptions = {}) {
    const selection = select && { root: this.root, select };
    this.folder = prepareReports(join(this.#home, 'reports'), selection);
    this.write(files);
    if (modules !== undefined) {
      symlinkSync(modules, join(this.root, 'node_modules'));
      return;
    }
    mkdirSync(join(this.root, 'node_modules', '.bin'), { recursive: true });
    symlinkSync(join(MODULES, 'vitest'), join(this.root, 'node_modules', 'vitest'));
    symlinkSync('../vitest/vitest.mjs', join(this.root, 'node_modules', '.bin', 'vitest'));
  }

  write(files: Record<string, string>): void {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(this.root, path)), { recursive: true });
      writeFileSync(join(this.root, path), text);
    }
  }

  run(command: string): Promise<ProcessResult> {
    return runProcess('sh', ['-c', command], { cwd: this.root, env: this.environment(), timeoutMs: 60_000 });
  }

  /** Like a person would run it. */
  runNatively(command: string): Promise<ProcessResult> {
    return runProcess('sh', ['-c', command], { cwd: this.root, env: this.#base, timeoutMs: 60_000 });
  }

  get #base(): Record<string, string> {
    return { HOME: this.#home, PATH: process.env.PATH ?? '', npm_config_update_notifier: 'false' };
  }

  environment(): Record<string, string> {
    const base: Record<string, string> = { ...this.#base, CI: '1' };
    return {
      ...base,
      ...runnerEnvironment({
        reportsFolder: this.folder.path,
        tapFolder: tapFolder(),
        path: base.PATH ?? '',
        base,
      }),
    };
  }

  read(path: string): string {
    return readFileSync(join(this.root, path), 'utf8');
  }

  collect(stdout = '', declaredReport?: string, startedAt?: number): Promise<CollectedReports> {
    return collectReports({ folder: this.folder, stdout, root: this.root, declaredReport, startedAt });
  }

  remove(): void {
    rmSync(this.#home, { recursive: true, force: true });
  }
}

export function packageJson(scripts: Record<string, string>): string {
  return JSON.stringify({ name: 'project', private: true, type: 'module', scripts });
}
