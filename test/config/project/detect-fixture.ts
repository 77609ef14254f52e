import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type ProjectView, projectView } from '../../../src/config/detection/project-view.ts';
import { detectIn, undetectedHint } from '../../../src/config/project/detect-verify.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

export type Files = Record<string, string | object>;

export interface Machine {
  programs?: string[];
  modules?: Record<string, string[]>;
}

export function detect(files: Files, machine: Machine = {}) {
  return detectIn(viewOf(files, machine));
}

export function hint(files: Files): string {
  return undetectedHint(viewOf(files));
}

function viewOf(files: Files, { programs = ['npm', 'python3'], modules = {} }: Machine = {}): ProjectView {
  const root = temporaryFolder();
  const write = (path: string, content: string | object) => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  };
  for (const [name, content] of Object.entries(files)) write(join(root, name), content);
  const bin = temporaryFolder();
  for (const program of programs) {
    write(join(bin, program), '');
    chmodSync(join(bin, program), 0o755);
  }
  const pythonModules = new Map(Object.entries(modules).map(([python, names]) => [python, new Set(names)]));
  return projectView({ root, path: bin, pythonModules });
}

export const node = (
  scripts: Record<string, string>,
  dev: Record<string, string> = { x: '1' },
  more: object = {},
) => ({
  scripts,
  devDependencies: dev,
  ...more,
});
export const VITEST = '--coverage.enabled --coverage.reporter=lcovonly --coverage.reportsDirectory=coverage';
export const JEST = '--coverage --coverageReporters=lcovonly --coverageDirectory=coverage';
export const LCOV = 'coverage/lcov.info';
