import { chmodSync, cpSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { dirname } from 'node:path';
import type { GateResult } from '../../../src/domain/entities/verification.ts';
import { type CliResult, type RunOptions, Sandbox } from '../../support/cli.ts';
import { MEASURE_TESTS, ONE_PROCESS, RUN_TESTS } from '../../support/verified-project.ts';

/** Files by path: their text, or null to delete one. */
export type Files = Readonly<Record<string, string | null>>;

export const RUN_NODE_TESTS =
  'node --test --experimental-test-coverage --test-reporter=lcov --test-reporter-destination=lcov.info';

export const config = (verify: string): string => `project: cheats\nverify:\n${indented(verify)}`;

export const task = (frontMatter = '', criteria = '- `multiply(a, b)` gives the product'): string =>
  `---
id: TASK-001
title: Multiply
status: backlog
task_type: feature
complexity: 5
${frontMatter === '' ? '' : `${frontMatter}\n`}---
# Multiply

## Acceptance Criteria
${criteria}
`;

/** A small library with node:test, which needs no installation. */
export const NODE_PROJECT: Files = {
  '.guardkit/config.yaml': config(`tests:\n  command: ${RUN_NODE_TESTS}\ncoverage:\n  report: lcov.info\n`),
  '.gitignore': 'lcov.info\ncoverage/\n',
  'tasks/TASK-001.md': task(),
  'package.json':
    '{ "name": "calc", "version": "1.0.0", "type": "module", "scripts": { "test": "node --test" } }\n',
  'src/add.js': 'export function add(a, b) {\n  return a + b;\n}\n',
  'test/add.test.js': `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { add } from '../src/add.js';

test('adds two numbers', () => {
  assert.equal(add(2, 3), 5);
});

test('adds a negative number', () => {
  assert.equal(add(2, -3), -1);
});
`,
};

/** For cheats that other gates stop: coverage doubles the time. */
const NO_COVERAGE: Files = {
  '.guardkit/config/quality-gates.yaml':
    'quality_gate_configs:\n  - {task_type: feature, complexity_range: [4, 6], coverage_required: false}\n',
};

/** The same without coverage. */
export const UNMEASURED_PROJECT: Files = {
  ...NODE_PROJECT,
  ...NO_COVERAGE,
  '.guardkit/config.yaml': config('tests:\n  command: node --test\n'),
};

/** The same with all tests in one process, for cheats unrelated to the runner. */
export const ONE_PROCESS_PROJECT: Files = {
  ...NODE_PROJECT,
  ...ONE_PROCESS,
  '.guardkit/config.yaml': config(`tests:\n  command: ${MEASURE_TESTS}\ncoverage:\n  report: lcov.info\n`),
};

/** Both. */
export const QUICK_PROJECT: Files = {
  ...ONE_PROCESS_PROJECT,
  ...NO_COVERAGE,
  '.guardkit/config.yaml': config(`tests:\n  command: ${RUN_TESTS}\n`),
};

export const MULTIPLY = 'export function multiply(a, b) {\n  return a * b;\n}\n';

export const MULTIPLY_TEST = `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { multiply } from '../src/multiply.js';

test('multiplies two numbers', () => {
  assert.equal(multiply(2, 3), 6);
});
`;

/** The files of an honest change; cheats are derived from them. */
export const HONEST: Files = { 'src/multiply.js': MULTIPLY, 'test/multiply.test.js': MULTIPLY_TEST };

/** Code that no test runs. */
export const UNTESTED = `export function divide(a, b) {
  if (b === 0) {
    throw new Error('no');
  }
  const result = a / b;
  return result;
}
`;

/** The result of one verification. */
export interface Answer extends CliResult {
  outcome: string | undefined;
  gates: ReadonlyMap<string, GateResult>;
}

/** One machine with one base; every cheat gets a copy, so that the base runs once. */
export class CheatBase {
  readonly sandbox = new Sandbox();
  #count = 0;

  constructor(files: Files, commits: readonly Files[] = []) {
    this.sandbox.emptyRepository('base');
    const base = new CheatProject(this.sandbox, 'base');
    for (const one of [files, ...commits]) {
      base.write(one);
      base.commit('Base');
    }
    base.git('checkout', '--quiet', '-b', 'work');
  }

  /** On a separate branch, like real work. */
  project(): CheatProject {
    this.#count += 1;
    const name = `project-${this.#count}`;
    cpSync(this.sandbox.path('base'), this.sandbox.path(name), { recursive: true });
    return new CheatProject(this.sandbox, name);
  }

  cleanup(): void {
    this.sandbox.cleanup();
  }
}

export class CheatProject {
  readonly sandbox: Sandbox;
  readonly name: string;

  constructor(sandbox: Sandbox, name: string) {
    this.sandbox = sandbox;
    this.name = name;
  }

  path(...names: string[]): string {
    return this.sandbox.path(this.name, ...names);
  }

  write(files: Files): this {
    for (const [path, text] of Object.entries(files)) {
      if (text === null) rmSync(this.path(path), { recursive: true, force: true });
      else this.sandbox.write(`${this.name}/${path}`, text);
    }
    return this;
  }

  program(path: string, text: string): this {
    this.write({ [path]: text });
    chmodSync(this.path(path), 0o755);
    return this;
  }

  link(path: string, target: string): this {
    rmSync(this.path(path), { recursive: true, force: true });
    mkdirSync(dirname(this.path(path)), { recursive: true });
    symlinkSync(target, this.path(path));
    return this;
  }

  git(...args: string[]): string {
    return this.sandbox.git(this.name, ...args);
  }

  commit(message: string): this {
    this.git('add', '--all', '--force');
    this.sandbox.commit(this.name, message);
    return this;
  }

  /** Command line arguments and, if it is not this machine’s, the environment. */
  async verify(...given: (string | Pick<RunOptions, 'env'>)[]): Promise<Answer> {
    const args = given.filter((one) => typeof one === 'string');
    const options = given.filter((one) => typeof one === 'object');
    const result = await this.sandbox.guardkit(['verify', 'TASK-001', '--json', ...args], {
      in: this.name,
      ...Object.assign({}, ...options),
    });
    const said = result.stdout === '' ? {} : (JSON.parse(result.stdout) as Partial<Verdict>);
    return {
      ...result,
      outcome: said.outcome,
      gates: new Map((said.gates ?? []).map((gate) => [gate.gate, gate])),
    };
  }
}

interface Verdict {
  outcome: string;
  gates: GateResult[];
}

function indented(text: string): string {
  return text.replace(/^(?=.)/gm, '  ');
}
