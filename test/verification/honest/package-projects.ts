import type { Files } from '../cheats/cheat-project.ts';
import { task } from '../cheats/cheat-project.ts';

/** A package.json whose tests run with Node. */
export function pack(
  name: string,
  { dependencies = {}, test = 'node --test' }: { dependencies?: Record<string, string>; test?: string } = {},
): string {
  return JSON.stringify({ name, version: '1.0.0', main: 'index.js', dependencies, scripts: { test } });
}

/** A file with one test. */
export function testOf(name: string, expression: string): string {
  return `const test = require('node:test');\ntest('${name}', () => require('node:assert').ok(${expression}));\n`;
}

/** Two packages of a workspace: `api` uses `core` of the given version. */
export function coreAndApi(version: string): Files {
  return {
    'packages/core/package.json': pack('core'),
    'packages/core/index.js': 'exports.add = (a, b) => a + b;\n',
    'packages/core/core.test.js': testOf('core adds', "require('./index.js').add(1, 2) === 3"),
    'packages/api/package.json': pack('api', { dependencies: { core: version } }),
    'packages/api/index.js': "exports.sum = (list) => list.reduce(require('core').add, 0);\n",
    'packages/api/api.test.js': testOf('api sums', "require('./index.js').sum([1, 2]) === 3"),
  };
}

/** An honest change of them. */
export const CORE_DOUBLES: Files = {
  'packages/core/double.js': 'exports.double = (a) => 2 * a;\n',
  'packages/core/double.test.js': testOf('core doubles', "require('./double.js').double(2) === 4"),
};

export const WITHOUT_COVERAGE: Files = {
  '.gitignore': 'node_modules\n',
  'tasks/TASK-001.md': task(),
  '.guardkit/config/quality-gates.yaml':
    'quality_gate_configs:\n  - {task_type: feature, complexity_range: [4, 6], coverage_required: false}\n',
};
