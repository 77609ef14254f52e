import { expect, it } from 'vitest';
import type { TestResult } from '../../../../src/domain/entities/test-report.ts';
import {
  namedExamples,
  withPythonExamples,
} from '../../../../src/verification/test-files/in-source/python-examples.ts';

const add = (example: string, body = 'a + b') =>
  `def add(a, b):\n    """Adds.\n\n${example}    """\n    return ${body}\n`;
const ONE = '    >>> add(1, 2)\n    3\n';

it('code changes without a changed example leave nothing to add', () => {
  expect(withPythonExamples(add(ONE), add(ONE, 'b + a'))).toBeUndefined();
  expect(withPythonExamples(add(ONE), add(''))).toBeUndefined();
  expect(withPythonExamples(add(''), add(ONE))).toContain(add(''));
});

it('on the base, an example of the other version counts instead of the code’s own', () => {
  const result = (name: string, status: TestResult['status']): TestResult => ({
    name,
    file: 'calc/add.py',
    status,
  });
  const results = [
    result('calc.add', 'passed'),
    result('calc.add.add', 'passed'),
    result('calc.add.__test__.own', 'passed'),
    result('calc.add.__test__.other version: ', 'failed'),
    result('calc.add.__test__.other version: Sum.add', 'failed'),
    result('calc.add.__test__.other version: add', 'failed'),
  ];
  expect(namedExamples(results)).toEqual([
    result('calc.add.__test__.own', 'passed'),
    result('calc.add', 'failed'),
    result('calc.add.Sum.add', 'failed'),
    result('calc.add.add', 'failed'),
  ]);
});
