import { stringify } from 'yaml';
import { BuildProject } from './build-project.ts';
import { ONE_PROCESS, RUN_TESTS } from './verified-project.ts';

/** A feature of the project, and what a Player does in each turn for it. */
export interface PlayedFeature {
  id: string;
  needs?: readonly string[];
  priority?: number;
  /** Documentation needs no tests, so that its own check is all that is run. */
  type?: 'feature' | 'documentation';
  verify?: unknown;
  turns: readonly unknown[];
}

const CONFIG = `project: calc-1234\nverify:\n  tests:\n    command: ${RUN_TESTS}\n`;
const NO_COVERAGE =
  'quality_gate_configs:\n  - {task_type: feature, complexity_range: [1, 3], coverage_required: false}\n';

/** What every run starts from: one module, its test, and how it is tested. */
export const RUN_BASE: Readonly<Record<string, string>> = {
  ...ONE_PROCESS,
  '.gitignore': '.guardkit/logs/\n.claude/progress/\n',
  'package.json': '{"name":"calc","private":true,"type":"module"}\n',
  'src/zero.js': 'export const zero = 0;\n',
  'test/zero.test.js': testOf('zero is nothing', 'zero', 'zero', '0'),
  '.guardkit/config.yaml': CONFIG,
  '.guardkit/config/quality-gates.yaml': NO_COVERAGE,
};

export function testOf(name: string, module: string, expression: string, expected: string): string {
  return `import test from 'node:test';
import assert from 'node:assert/strict';
import { ${module} } from '../src/${module}.js';

test(${JSON.stringify(name)}, () => assert.equal(${expression}, ${expected}));
`;
}

/** A turn in which files are written, and approved on the evidence that is named. */
export function turnOf(write: Readonly<Record<string, string>>, evidence: string) {
  return {
    player: {
      write,
      report: {
        decision: 'implemented',
        summary: `Wrote ${Object.keys(write).join(', ')}`,
        files_modified: Object.keys(write),
        criteria: { 'AC-001': 'verified' },
      },
    },
    coach: {
      verdict: {
        decision: 'approved',
        criteria: { 'AC-001': { status: 'verified', evidence } },
        arch_score: 90,
        feedback: 'Good',
      },
    },
  };
}

/** A module and its test. */
export function testedTurn(name: string, source: string, expression: string, expected: string) {
  const test = `AC-001 ${name}`;
  return turnOf(
    { [`src/${name}.js`]: source, [`test/${name}.test.js`]: testOf(test, name, expression, expected) },
    test,
  );
}

export const CRASH = { player: { fail: 'crash' } };

/** The file that defines a feature. */
export function definitionOf({
  id,
  needs = [],
  priority = 3,
  type = 'feature',
  verify,
}: PlayedFeature): string {
  return stringify({
    id,
    name: `The feature ${id}`,
    task_type: type,
    complexity: 2,
    priority,
    ...(needs.length > 0 ? { dependencies: needs } : {}),
    ...(verify ? { verify } : {}),
    acceptance_criteria: ['AC-001: it gives what its test asks for'],
  });
}

/** Features with a scenario for each, in a project that a person works on meanwhile. */
export class RunProject extends BuildProject {
  readonly scenarioFile: string;

  constructor(features: readonly PlayedFeature[], more: Readonly<Record<string, string>> = {}, extra = {}) {
    const files = features.map((one): [string, string] => [
      `.guardkit/features/${one.id}.yaml`,
      definitionOf(one),
    ]);
    super({ ...RUN_BASE, ...Object.fromEntries(files), ...more });
    const tasks = Object.fromEntries(features.map(({ id, turns }) => [id, { turns }]));
    this.scenarioFile = this.scenario({ tasks, ...extra });
  }

  runArguments(args: readonly string[] = []): string[] {
    return [
      'run',
      '--driver',
      'script',
      '--scenario',
      this.scenarioFile,
      '--max-turns',
      '1',
      '--json',
      ...args,
    ];
  }
}
