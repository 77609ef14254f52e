import { spawnSync } from 'node:child_process';
import { afterEach, expect, it } from 'vitest';
import { THOROUGH } from '../../support/thorough.ts';
import { findPython, SEES_NOTHING } from './python-project.ts';
import { TestProject } from './test-project.ts';

// One case each; python-taps, python-assertions and go-tap have the rest.
const PYTEST = findPython('pytest');
const HAS_GO = spawnSync('go', ['version']).status === 0;

let project: TestProject | undefined;
afterEach(() => project?.remove());

async function run(command: string, files: Record<string, string>) {
  project = new TestProject(files);
  const { stdout } = await project.run(command);
  const { reports, unreadable } = await project.collect(stdout);
  expect(unreadable).toEqual([]);
  expect(reports).toHaveLength(1);
  return reports[0];
}

it.skipIf(!PYTEST)(
  `pytest names its tests, which see nothing of us${PYTEST ? '' : ' (SKIPPED: no pytest)'}`,
  async () => {
    const report = await run(`${PYTEST} -m pytest -q`, {
      'look.py': SEES_NOTHING,
      'tests/test_a.py': `from look import look_here, look_in_child

def test_sees_nothing():
    assert look_here() == look_in_child() == [[], [], [], [], [], []]

def test_fails(tmp_path):
    assert tmp_path is None, "it is a folder"
`,
    });
    expect(report).toMatchObject({
      runner: 'pytest',
      tests: [
        { name: 'test_sees_nothing', file: 'tests/test_a.py', status: 'passed' },
        {
          name: 'test_fails',
          file: 'tests/test_a.py',
          status: 'failed',
          // Not the values of arguments.
          message: expect.stringMatching(/^AssertionError: it is a folder\n/),
        },
      ],
      faults: [],
    });
  },
);

it.skipIf(!PYTEST)(
  'unittest names its tests, and assertions that code under test replaced are a fault',
  async () => {
    const report = await run(`${PYTEST} -m unittest`, {
      'calc.py': 'import unittest\nunittest.TestCase.assertEqual = lambda *_: None\n',
      'test_a.py':
        'import calc\nimport unittest\n\nclass A(unittest.TestCase):\n    def test_equal(self):\n        self.assertEqual(1, 2)\n',
    });
    expect(report).toMatchObject({
      runner: 'unittest',
      tests: [{ name: 'A > test_equal', file: 'test_a.py', status: 'passed' }],
      faults: expect.arrayContaining([
        expect.objectContaining({ code: 'assertions-replaced', file: 'calc.py' }),
      ]),
    });
  },
);

it.runIf(HAS_GO && THOROUGH)(
  `go test names package, test and file${HAS_GO ? '' : ' (SKIPPED: Go is not installed here)'}`,
  async () => {
    const report = await run('go test ./...', {
      'go.mod': 'module example.com/m\n\ngo 1.19\n',
      'calc/a_test.go': `package calc

import (
	"os"
	"strings"
	"testing"
)

func TestSeesNothing(t *testing.T) {
	for _, one := range os.Environ() {
		if strings.Contains(one, "GUARDKIT") || strings.Contains(one, "/tap") {
			t.Error(one)
		}
	}
}
`,
    });
    expect(report).toMatchObject({
      runner: 'go test',
      tests: [
        { name: 'TestSeesNothing', package: 'example.com/m/calc', file: 'calc/a_test.go', status: 'passed' },
      ],
      faults: [],
    });
  },
);
