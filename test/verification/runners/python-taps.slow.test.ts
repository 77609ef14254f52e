import { afterEach, describe, expect, it } from 'vitest';
import type { TestReport } from '../../../src/domain/entities/test-report.ts';
import { outcomes } from '../test-reports/recorded.ts';
import { findPython, SEES_NOTHING } from './python-project.ts';
import { TestProject } from './test-project.ts';

const PYTEST = findPython('pytest');
const XDIST = findPython('pytest', 'xdist');
const COVERAGE = findPython('pytest', 'coverage');
const PYTHON = findPython();

let project: TestProject | undefined;
afterEach(() => project?.remove());

function open(files: Record<string, string>, select?: readonly string[]): TestProject {
  project = new TestProject(files, select ? { select } : {});
  return project;
}

async function results(command: string, files: Record<string, string>) {
  const opened = open(files);
  const { exitCode, stdout, stderr } = await opened.run(command);
  const { reports, unreadable } = await opened.collect(stdout);
  return { exitCode, reports, unreadable, output: stdout + stderr };
}

const whole = (reports: readonly TestReport[]): TestReport => ({
  runner: reports[0]?.runner ?? '',
  tests: reports.flatMap(({ tests }) => tests),
  faults: reports.flatMap(({ faults }) => faults),
});

const FILES = {
  'look.py': SEES_NOTHING,
  'tests/test_sum.py': `import unittest
import pytest
from look import look_here, look_in_child

NOTHING = [[], [], [], [], [], []]


def test_sees_nothing(request):
    assert look_here() == NOTHING
    assert look_in_child() == NOTHING
    plugins = [str(plugin) for plugin in request.config.pluginmanager.get_plugins()]
    assert [plugin for plugin in plugins if "tap" in plugin.lower()] == []
    assert "pytest.xml" not in str(request.config.invocation_params.args)


@pytest.mark.parametrize("value", ["a::b", "[c]"])
def test_values(value):
    pass


def test_fails():
    assert 1 == 2


@pytest.mark.xfail
def test_fails_as_expected():
    assert 1 == 2


class TestOld(unittest.TestCase):
    def test_equal(self):
        self.assertEqual(1, 1)

    @unittest.skip("later")
    def test_later(self):
        pass
`,
};
const OUTCOMES = [
  'failed test_fails',
  'passed TestOld > test_equal',
  'passed test_sees_nothing',
  'passed test_values[[c]]',
  'passed test_values[a::b]',
  'skipped TestOld > test_later',
  'skipped test_fails_as_expected',
];

describe.skipIf(!PYTEST)(`pytest${PYTEST ? '' : ' (SKIPPED: pytest is not installed here)'}`, () => {
  it.each([
    ['by itself', `${PYTEST} -m pytest -q`],
    ['with a report of its own', `${PYTEST} -m pytest -q --junitxml=own.xml`],
    ['without plugins for output', `${PYTEST} -m pytest -p no:terminal -p no:junitxml`],
    [
      'behind a script',
      `${PYTEST} -c "import subprocess, sys; sys.exit(subprocess.call([sys.executable, '-m', 'pytest']))"`,
    ],
    ['behind make-like variables', `PYTEST_ADDOPTS=-q ${PYTEST} -m pytest`],
  ])('%s names its tests, which see no trace of us', async (_how, command) => {
    const { exitCode, reports, unreadable, output } = await results(command, FILES);
    expect(unreadable).toEqual([]);
    expect(outcomes(whole(reports)), output).toEqual(
      OUTCOMES.map((line) =>
        command.startsWith('PYTEST_ADDOPTS') ? line.replace('passed test_sees', 'failed test_sees') : line,
      ).sort(),
    );
    expect(exitCode).toBe(1);
    expect(reports.map(({ runner, faults }) => [runner, faults])).toEqual([['pytest', []]]);
    expect(reports[0]?.tests.every(({ file }) => file === 'tests/test_sum.py')).toBe(true);
  });

  it.each(['PYTHONPATH=. python3 -m pytest -q', 'PYTHONPATH=. pytest -q'])(
    'whose command is "%s" is still recorded',
    async (command) => {
      const { reports } = await results(command, {
        'test_path.py': 'import os\n\ndef test_path():\n    assert os.environ["PYTHONPATH"] == "."\n',
      });
      expect(outcomes(whole(reports))).toEqual(['passed test_path']);
      expect(reports[0]?.runner).toBe('pytest');
    },
  );

  it('that cannot load the tap still names its tests', async () => {
    const { reports } = await results(`PYTHONPATH=. ${PYTEST} -m pytest -q`, FILES);
    expect(outcomes(whole(reports))).toContain('failed test_fails');
    expect(whole(reports).tests.every(({ file }) => file === 'tests/test_sum.py')).toBe(true);
  });

  it('that runs pytest inside, in the process or in a child, reports only the outer run', async () => {
    const { reports, unreadable } = await results(`${PYTEST} -m pytest -q tests/test_outer.py`, {
      'inner/test_inner.py': 'def test_inner():\n    assert False\n',
      'tests/test_outer.py': `import subprocess, sys, unittest
import pytest

class Inner(unittest.TestCase):
    def runTest(self):
        self.fail()

def test_in_process():
    assert pytest.main(["-q", "inner"]) == 1
    unittest.TextTestRunner().run(unittest.TestSuite([Inner()]))

def test_in_child():
    assert subprocess.call([sys.executable, "-m", "pytest", "inner"]) == 1
`,
    });
    expect(unreadable).toEqual([]);
    expect(outcomes(whole(reports)).filter((line) => !line.includes('Inner'))).toEqual([
      'passed test_in_child',
      'passed test_in_process',
    ]);
  });

  it('reports a file that does not load only as a fault of that file', async () => {
    const { reports } = await results(`${PYTEST} -m pytest -q`, {
      'test_broken.py': 'import nothing_of_this_name\n',
      'test_fine.py': 'def test_fine():\n    pass\n',
    });
    expect(whole(reports).faults.map(({ file }) => file)).toEqual(['test_broken.py']);
  });

  it.each([
    ['ends the process', 'import os\ndef test_ends():\n    os._exit(0)\n'],
    [
      'stops the run without a failure',
      'import pytest\ndef test_ends():\n    pytest.exit("done", returncode=0)\n',
    ],
  ])('a test that %s is a fault', async (_how, text) => {
    const { reports, unreadable } = await results(`${PYTEST} -m pytest -q`, { 'test_ends.py': text });
    expect([...whole(reports).faults, ...unreadable]).toHaveLength(1);
  });

  it('that runs no tests reports no test and no fault', async () => {
    const { reports, unreadable } = await results(`${PYTEST} -m pytest --version`, FILES);
    expect(whole(reports)).toMatchObject({ tests: [], faults: [] });
    expect(unreadable).toEqual([]);
  });

  it.skipIf(!XDIST)('in several processes names its tests, and they see nothing of us', async () => {
    const { reports, unreadable, output } = await results(`${XDIST} -m pytest -q -n 2`, FILES);
    expect(unreadable).toEqual([]);
    // xdist itself sets PYTHONPATH in its workers.
    expect(
      outcomes(whole(reports)).filter((line) => !line.includes('sees_nothing')),
      output,
    ).toEqual(OUTCOMES.filter((line) => !line.includes('sees_nothing')));
    expect(whole(reports).faults).toEqual([]);
  });

  it.skipIf(!COVERAGE)('under coverage names its tests', async () => {
    const { reports } = await results(`${COVERAGE} -m coverage run -m pytest -q`, FILES);
    expect(outcomes(whole(reports))).toEqual(OUTCOMES);
  });
});

describe.skipIf(!PYTHON)(`unittest${PYTHON ? '' : ' (SKIPPED: Python is not installed here)'}`, () => {
  const files = {
    'look.py': SEES_NOTHING,
    'tests/__init__.py': '',
    'tests/test_sum.py': `import unittest
from look import look_here, look_in_child

class Sum(unittest.TestCase):
    def test_sees_nothing(self):
        self.assertEqual([look_here(), look_in_child()], [[[], [], [], [], [], []]] * 2)

    def test_fails(self):
        self.assertEqual(1, 2)

    def test_parts(self):
        for value in range(3):
            with self.subTest(value=value):
                self.assertNotEqual(value, 1)

    @unittest.skip("later")
    def test_later(self):
        pass

    @unittest.expectedFailure
    def test_expected(self):
        self.fail()

class Broken(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        raise ValueError("no database")

    def test_never(self):
        pass

if __name__ == "__main__":
    unittest.main()
`,
  };

  it.each([
    ['discover', `${PYTHON} -m unittest discover -s tests -t .`],
    ['a module', `${PYTHON} -m unittest tests.test_sum`],
    ['a file that is run by itself', `PYTHONPATH=$PYTHONPATH:. ${PYTHON} tests/test_sum.py`],
    [
      'a runner of its own',
      `${PYTHON} -c "import unittest; s = unittest.defaultTestLoader.discover('tests', top_level_dir='.'); unittest.TextTestRunner().run(s)"`,
    ],
  ])('%s names its tests, which see no trace of us', async (how, command) => {
    const { reports, unreadable, output } = await results(command, files);
    expect(unreadable).toEqual([]);
    const found = outcomes(whole(reports)).filter(
      (line) => !(how.startsWith('a file') && line.includes('sees')),
    );
    expect(found, output).toEqual(
      [
        'failed Sum > test_fails',
        'failed Sum > test_parts',
        'passed Sum > test_sees_nothing',
        'skipped Sum > test_expected',
        'skipped Sum > test_later',
      ].filter((line) => !(how.startsWith('a file') && line.includes('sees'))),
    );
    expect(whole(reports).tests.every(({ file }) => file === 'tests/test_sum.py')).toBe(true);
    expect(whole(reports).faults.map(({ message }) => message)).toEqual([
      expect.stringContaining('no database'),
    ]);
  });

  it('reports a file that does not load as a fault of that file', async () => {
    const { reports } = await results(`${PYTHON} -m unittest discover -s tests -t .`, {
      'tests/__init__.py': '',
      'tests/test_broken.py': 'import nothing_of_this_name\n',
    });
    expect(whole(reports)).toMatchObject({ tests: [], faults: [{ file: 'tests/test_broken.py' }] });
  });
});

describe.skipIf(!PYTEST)(
  `pytest with a selection${PYTEST ? '' : ' (SKIPPED: pytest is not installed here)'}`,
  () => {
    it.each([
      ['that is given a folder', ''],
      ['that is given the files', 'tests/test_a.py tests/test_b.py'],
      ['whose tests are in a package', ''],
    ])('%s runs the selected file and loads no other', async (which, files) => {
      const opened = open(
        {
          ...(which.includes('package') ? { 'tests/__init__.py': '' } : {}),
          'tests/conftest.py': 'import pytest\n\n@pytest.fixture\ndef one():\n    return 1\n',
          'tests/test_a.py': `${files === '' ? 'raise RuntimeError' : 'import os'}\n\ndef test_a(): pass\n`,
          'tests/test_b.py': 'def test_b(one):\n    assert one == 1\n',
        },
        ['tests/test_b.py'],
      );
      const { exitCode, stdout } = await opened.run(`${PYTEST} -m pytest ${files}`);
      const { reports } = await opened.collect(stdout);
      expect(exitCode, stdout).toBe(0);
      expect(outcomes(whole(reports))).toEqual(['passed test_b']);
    });
  },
);
