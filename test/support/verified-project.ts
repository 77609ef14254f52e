import { execFileSync } from 'node:child_process';
import { type CliResult, type RunOptions, Sandbox } from './cli.ts';

/** How a feature of low complexity that asks for tests is defined. */
export const TASK = `---
id: TASK-001
title: Subtract
task_type: feature
complexity: 2
---
# Subtract

## Acceptance Criteria
- AC-001: subtracts two numbers
`;

export const CONFIG = `project: calc-1234
verify:
  tests:
    command: node --test test/*.test.js
  coverage:
    command: node --test --experimental-test-coverage --test-reporter=lcov --test-reporter-destination=lcov.info test/*.test.js
    report: lcov.info
`;

export const BASE_FILES: Readonly<Record<string, string>> = {
  'package.json': '{"name":"calc","private":true,"type":"module","scripts":{"test":"node --test test/"}}\n',
  'src/add.js': 'export const add = (a, b) => a + b;\n',
  'test/add.test.js': testFile('adds', 'add', 'add(1, 2)', '3'),
  'tasks/TASK-001-subtract.md': TASK,
  '.guardkit/config.yaml': CONFIG,
};

/**
 * Runs all tests in one process, where `node --test` starts one for each file: the same results in a third of the time,
 * for whatever is not about the runner. A file that does not load is told as `node --test` tells it, by its place.
 */
export const ONE_PROCESS: Readonly<Record<string, string>> = {
  'tests.mjs': `import { readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import test from 'node:test';
import { pathToFileURL } from 'node:url';
import { runInThisContext } from 'node:vm';

const files = readdirSync('.', { recursive: true }).filter((path) => /^(?!node_modules).*\\.test\\.js$/.test(path));
for (const path of files.sort())
  try {
    await import(pathToFileURL(resolve(path)).href);
  } catch (error) {
    const code = '(test, name, error) => test(name, () => Promise.reject(error))';
    runInThisContext(code, { filename: resolve(path) })(test, path, error);
  }
`,
};
export const RUN_TESTS = 'node tests.mjs';
/** The same, with a report of what it covered. */
export const MEASURE_TESTS =
  'node --experimental-test-coverage --test-reporter=lcov --test-reporter-destination=lcov.info tests.mjs';

/** The small project with its tests and their coverage from one run in one process. */
export const MEASURED_FILES: Readonly<Record<string, string>> = {
  ...BASE_FILES,
  ...ONE_PROCESS,
  '.guardkit/config.yaml': `project: calc-1234\nverify:\n  tests:\n    command: ${MEASURE_TESTS}\n  coverage:\n    report: lcov.info\n`,
};

/** A change that is in order: new code, and a test of it. */
export const HONEST_CHANGE: Readonly<Record<string, string>> = {
  'src/sub.js': 'export const sub = (a, b) => a - b;\n',
  'test/sub.test.js': testFile('AC-001 subtracts', 'sub', 'sub(3, 2)', '1'),
};

export function testFile(name: string, module: string, expression: string, expected: string): string {
  return `import test from 'node:test';
import assert from 'node:assert/strict';
import { ${module} } from '../src/${module}.js';

test('${name}', () => assert.equal(${expression}, ${expected}));
`;
}

export interface VerifiedJson {
  feature: string;
  task: string | null;
  tree: string;
  base: string;
  outcome: 'pass' | 'fail' | 'absent';
  base_trouble: string | null;
  sandbox: string | null;
  gates: {
    gate: string;
    result: string;
    required: boolean;
    reason: string;
    warnings: string[];
    manual: boolean;
    evidence: string[];
  }[];
  criteria: { task: string; id: string; text: string; tests: string[] }[];
}

/** A small project with real tests, on a branch of its own, and a machine around it. */
export class VerifiedProject {
  readonly sandbox = new Sandbox();
  readonly name: string;

  constructor(
    base: Readonly<Record<string, string>> = BASE_FILES,
    name = 'calc',
    beforeBase?: (project: VerifiedProject) => unknown,
  ) {
    this.name = name;
    this.sandbox.emptyRepository(name);
    this.write(base);
    beforeBase?.(this);
    this.commit('Base');
    this.git('checkout', '--quiet', '-b', 'work');
  }

  write(files: Readonly<Record<string, string>>): void {
    for (const [path, text] of Object.entries(files)) this.sandbox.write(`${this.name}/${path}`, text);
  }

  path(...names: string[]): string {
    return this.sandbox.path(this.name, ...names);
  }

  git(...args: string[]): string {
    return this.sandbox.git(this.name, ...args);
  }

  commit(message: string): void {
    this.git('add', '--all');
    this.sandbox.commit(this.name, message);
  }

  guardkit(args: readonly string[], options: RunOptions = {}): Promise<CliResult> {
    return this.sandbox.guardkit(args, { in: this.name, ...options });
  }

  /** Verifies, and gives what was printed for programs beside the exit code. */
  async verify(args: readonly string[] = ['TASK-001'], options: RunOptions = {}) {
    const result = await this.guardkit(['verify', ...args, '--json'], options);
    return { ...result, json: JSON.parse(result.stdout) as VerifiedJson };
  }

  cleanup(): void {
    try {
      this.sandbox.cleanup();
    } catch {
      // Rooms may hold folders that nobody may write to.
      execFileSync('chmod', ['-R', 'u+rwx', this.sandbox.folder]);
      this.sandbox.cleanup();
    }
  }
}

export function gate({ gates }: VerifiedJson, name: string) {
  const found = gates.find((one) => one.gate === name);
  if (!found) throw new Error(`there is no gate ${name}`);
  return found;
}
