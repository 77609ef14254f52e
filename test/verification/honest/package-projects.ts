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

export const WITHOUT_COVERAGE: Files = {
  '.gitignore': 'node_modules\n',
  'tasks/TASK-001.md': task(),
  '.guardkit/config/quality-gates.yaml':
    'quality_gate_configs:\n  - {task_type: feature, complexity_range: [4, 6], coverage_required: false}\n',
};
