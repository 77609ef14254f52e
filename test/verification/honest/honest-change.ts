import { rmSync } from 'node:fs';
import { expect, it } from 'vitest';
import {
  BASE_FILES,
  gate,
  MEASURE_TESTS,
  ONE_PROCESS,
  testFile,
  VerifiedProject,
} from '../../support/verified-project.ts';

/** Files by path: their text, or null to delete one. */
export type Files = Readonly<Record<string, string | null>>;

/** With a process per file, as in most projects. */
export const NODE_TESTS =
  'node --test --experimental-test-coverage --test-reporter=lcov --test-reporter-destination=lcov.info';

export function config(command = MEASURE_TESTS, more = ''): string {
  return `project: honest-1234\nverify:\n  tests:\n    command: ${command}\n  coverage:\n    report: lcov.info\n${more}`;
}

export function task(type: string, frontMatter = ''): string {
  return `---\nid: TASK-001\ntitle: Work\ntask_type: ${type}\ncomplexity: 2\n${frontMatter}---\n# Work\n\n## Acceptance Criteria\n- it works\n`;
}

/** One small module with its test. */
export const CALC: Readonly<Record<string, string>> = {
  ...ONE_PROCESS,
  'package.json': BASE_FILES['package.json'] ?? '',
  'src/add.js': 'export const add = (a, b) => a + b;\n',
  'test/add.test.js': testFile('adds', 'add', 'add(1, 2)', '3'),
  'tasks/TASK-001.md': task('feature'),
  '.guardkit/config.yaml': config(),
};

export interface HonestChange {
  name: string;
  /** Written over the small module. */
  base?: Files;
  /** Set-up of the base beyond files. */
  beforeBase?: (project: VerifiedProject) => unknown;
  files?: Files;
  also?: (project: VerifiedProject) => unknown;
  /** Expected gate results other than passing. */
  says?: Readonly<Record<string, RegExp>>;
  warns?: Readonly<Record<string, RegExp>>;
  /** The project's folder. */
  folder?: string;
  /** Why it cannot be tried on this machine. */
  skip?: string | undefined;
}

export function write(project: VerifiedProject, files: Files): void {
  for (const [path, text] of Object.entries(files)) {
    if (text === null) rmSync(project.path(path), { recursive: true });
    else project.write({ [path]: text });
  }
}

/** A project with a committed base, on a branch, with the change in its working files. */
export function changedProject({
  base = {},
  beforeBase,
  files = {},
  also,
  folder,
}: HonestChange): VerifiedProject {
  const kept = Object.entries({ ...CALC, ...base }).filter(
    (entry): entry is [string, string] => entry[1] !== null,
  );
  const project = new VerifiedProject(Object.fromEntries(kept), folder, beforeBase);
  write(project, files);
  also?.(project);
  return project;
}

/** Expects that every required gate passes. */
export async function expectPassed(
  project: VerifiedProject,
  { says = {}, warns = {} }: Partial<HonestChange> = {},
): Promise<void> {
  const { exitCode, json, stderr } = await project.verify();
  const shown = json.gates.map((one) => `${one.gate} ${one.result}: ${one.reason}`).join('\n');
  expect(exitCode, `${shown}\n${stderr}`).toBe(0);
  expect(json.outcome).toBe('pass');
  for (const [name, words] of Object.entries(says)) expect(gate(json, name).reason).toMatch(words);
  for (const [name, words] of Object.entries(warns))
    expect(gate(json, name).warnings.join('\n')).toMatch(words);
}

export function passEach(changes: readonly HonestChange[]): void {
  for (const change of changes)
    it.skipIf(change.skip !== undefined)(
      change.skip === undefined ? change.name : `${change.name} (skipped: ${change.skip})`,
      { timeout: 180_000 },
      async ({ onTestFinished }) => {
        const project = changedProject(change);
        onTestFinished(() => project.cleanup());
        await expectPassed(project, change);
      },
    );
}
