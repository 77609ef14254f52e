import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type ProcessResult, runProcess } from '../../../src/platform/run-process.ts';
import { type CollectedReports, collectReports } from '../../../src/verification/runners/collect-reports.ts';
import { prepareReports, type ReportsFolder } from '../../../src/verification/runners/reports-folder.ts';
import { runnerEnvironment } from '../../../src/verification/runners/runner-environment.ts';
import { tapFolder } from '../../../src/verification/runners/tap-folder.ts';

const MODULES = fileURLToPath(new URL('../../../node_modules', import.meta.url));

/** A project in a folder of its own, with this repository's vitest, whose test command is run under the taps. */
export class TestProject {
  readonly #home = mkdtempSync(join(tmpdir(), 'guardkit taps-'));
  readonly root = join(this.#home, 'project');
  readonly folder: ReportsFolder;

  constructor(files: Record<string, string>) {
    this.folder = prepareReports(join(this.#home, 'reports'));
    this.write(files);
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

  environment(): Record<string, string> {
    return {
      HOME: this.#home,
      npm_config_update_notifier: 'false',
      ...runnerEnvironment({
        reportsFolder: this.folder.path,
        tapFolder: tapFolder(),
        path: process.env.PATH ?? '',
      }),
    };
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
