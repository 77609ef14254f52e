import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import type { TestReport } from '../../../src/domain/entities/test-report.ts';
import { TestProject } from './test-project.ts';

const HAS_GO = spawnSync('go', ['version']).status === 0;
const HAS_MAKE = spawnSync('make', ['--version']).status === 0;

/** Compiling the standard library for every project would take most of the time. */
const cache = mkdtempSync(join(tmpdir(), 'guardkit-go-cache-'));
afterAll(() => rmSync(cache, { recursive: true, force: true }));

let project: TestProject | undefined;
afterEach(() => project?.remove());

async function results(command: string, files: Record<string, string>, select?: readonly string[]) {
  project = new TestProject(files, select ? { select } : {});
  const { exitCode, stdout, stderr } = await project.run(`export GOCACHE='${cache}'; ${command}`);
  const { reports, unreadable } = await project.collect(stdout);
  return { exitCode, stdout, reports, unreadable, output: stdout + stderr };
}

const named = (reports: readonly TestReport[]): string[] =>
  reports
    .flatMap(({ tests }) => tests)
    .map(({ status, package: home, name, file }) => `${status} ${home} ${name} in ${file}`)
    .sort();

const LOOK = `
func TestSeesNothing(t *testing.T) {
	for _, one := range os.Environ() {
		name := strings.Split(one, "=")[0]
		if strings.Contains(one, "GUARDKIT") || strings.Contains(one, "/tap") ||
			name == "GOFLAGS" || name == "PYTHONPATH" || name == "NODE_OPTIONS" || name == "PYTEST_ADDOPTS" {
			t.Error(one)
		}
	}
	if out, err := exec.Command("go", "env", "GOFLAGS").Output(); err != nil || strings.TrimSpace(string(out)) != "" {
		t.Error(string(out), err)
	}
}
`;
const MODULE = {
  'go.mod': 'module example.com/m\n\ngo 1.19\n',
  Makefile: 'test:\n\tgo vet ./...\n\tgo test -count=1 ./... > results.txt\n',
  'calc/add.go': 'package calc\n\nfunc Add(a, b int) int { return a + b }\n',
  'calc/add_test.go': `package calc

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

func TestAdd(t *testing.T) {
	t.Run("two", func(t *testing.T) {
		t.Parallel()
		if Add(1, 2) != 3 {
			t.Fatal("no")
		}
	})
}
${LOOK}`,
  'calc/example_test.go': `package calc_test

import (
	"fmt"

	"example.com/m/calc"
)

func ExampleAdd() {
	fmt.Println(calc.Add(1, 2))
	// Output: 3
}
`,
  'other/other_test.go': 'package other\n\nimport "testing"\n\nfunc TestAdd(t *testing.T) {}\n',
};
const PASSED = [
  'passed example.com/m/calc ExampleAdd in calc/example_test.go',
  'passed example.com/m/calc TestAdd > two in calc/add_test.go',
  'passed example.com/m/calc TestSeesNothing in calc/add_test.go',
  'passed example.com/m/other TestAdd in other/other_test.go',
];

describe.skipIf(!HAS_GO)(`go test${HAS_GO ? '' : ' (SKIPPED: Go is not installed here)'}`, () => {
  it.each([
    ['by itself', 'go test ./...'],
    ['with -v', 'go test -v ./...'],
    ['with -json', 'go test -json ./...'],
    ['with flags of its own', 'go test -count=1 -cover ./...'],
    ['behind node', `node -e "require('child_process').execSync('go test ./...')"`],
  ])('%s names package, test and file, and its tests see no trace of us', async (_how, command) => {
    const { exitCode, reports, unreadable, output } = await results(command, MODULE);
    expect(exitCode, output).toBe(0);
    expect(unreadable).toEqual([]);
    expect(reports.map(({ runner, faults }) => [runner, faults])).toEqual([['go test', []]]);
    expect(named(reports)).toEqual(PASSED);
  });

  it.skipIf(!HAS_MAKE)('behind make, with its output in a file, names its tests', async () => {
    const { exitCode, reports, output } = await results('make test', MODULE);
    expect(exitCode, output).toBe(0);
    expect(named(reports)).toEqual(PASSED);
  });

  it('prints the same as without us: one line for a passing package, the failures of others', async () => {
    const { exitCode, stdout } = await results('go test ./...', {
      ...MODULE,
      'bad/bad_test.go':
        'package bad\n\nimport "testing"\n\nfunc TestFine(t *testing.T) { t.Log("quiet") }\nfunc TestBad(t *testing.T) { t.Error("loud") }\n',
    });
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(/^ok {2}\texample\.com\/m\/other\t/m);
    expect(stdout).toMatch(/--- FAIL: TestBad[\s\S]*loud|loud[\s\S]*--- FAIL: TestBad/);
    expect(stdout).not.toMatch(/quiet|=== RUN|"Action"/);
  });

  it.each([
    ['runs only the packages of selected files', 'go test ./...', 'other/other_test.go', 1],
    ['keeps its flags with a selection', 'go test -run Add -v ./... -args -x', 'other/other_test.go', 1],
    ['runs everything if a selected file is in no package', 'go test ./...', 'none/none_test.go', 4],
    ['runs everything with a flag that is not known', 'go test ./... -own', 'other/other_test.go', 4],
  ])('%s', async (_what, command, file, count) => {
    const own =
      'package calc\n\nimport "flag"\n\nvar _ = flag.Bool("own", false, "")\nvar _ = flag.Bool("x", false, "")\n';
    const files = { ...MODULE, 'calc/own_test.go': own, 'other/own_test.go': own.replace('calc', 'other') };
    const { exitCode, reports, output } = await results(command, files, [file]);
    expect(exitCode, output).toBe(0);
    expect(named(reports)).toEqual(count === 4 ? PASSED : PASSED.slice(-1));
  });

  it.each([
    ['runs only the tests of selected files', 'go test ./...', ['ExampleMore', 'TestMore']],
    ['runs the tests that its own flag chooses', 'go test -run Few ./...', ['TestFew']],
  ])('%s', async (_what, command, names) => {
    const { reports } = await results(
      command,
      {
        ...MODULE,
        'calc/more_test.go':
          'package calc\n\nimport (\n\t"fmt"\n\t"testing"\n)\n\nfunc TestMore(t *testing.T) {}\n\nfunc ExampleMore() {\n\tfmt.Println(1)\n\t// Output: 1\n}\n',
        'calc/few_test.go': 'package calc\n\nimport "testing"\n\nfunc TestFew(t *testing.T) {}\n',
      },
      ['calc/more_test.go'],
    );
    expect(reports.flatMap(({ tests }) => tests.map(({ name }) => name)).sort()).toEqual(names);
  });

  it('reports packages that do not compile as faults of the package and its file', async () => {
    const { reports } = await results('go test ./...', {
      ...MODULE,
      'calc/add_test.go': 'package calc\n\nimport "testing"\n\nfunc TestAdd(t *testing.T) { Missing() }\n',
      'calc/example_test.go': 'package calc_test\n',
    });
    expect(reports.flatMap(({ faults }) => faults)).toMatchObject([
      { file: 'calc/add_test.go', package: 'example.com/m/calc' },
    ]);
    expect(named(reports)).toEqual(['passed example.com/m/other TestAdd in other/other_test.go']);
  });

  it('reports every place that does not compile, also beyond the ten that the compiler prints', async () => {
    const calls = Array.from(
      { length: 15 },
      (_, at) => `func TestMore${at}(t *testing.T) { missing(${at}) }\n`,
    );
    const { exitCode, reports, output } = await results('go test ./...', {
      ...MODULE,
      'calc/more_test.go': `package calc\n\nimport "testing"\n\n${calls.join('\n')}`,
      'other/started_test.go':
        'package other\n\nimport (\n\t"os"\n\t"testing"\n)\n\nfunc TestMain(m *testing.M) {\n\tif _, err := os.Stat("started"); err == nil {\n\t\tpanic("it ran twice")\n\t}\n\t_ = os.WriteFile("started", nil, 0o600)\n\tos.Exit(m.Run())\n}\n',
    });
    expect(exitCode, output).not.toBe(0);
    const places = reports.flatMap(({ faults }) => faults.flatMap((fault) => fault.places ?? []));
    expect(new Set(places.map(({ file }) => file))).toEqual(new Set(['calc/more_test.go']));
    expect(places).toHaveLength(calls.length);
    expect(output).not.toContain('it ran twice');
  });

  it('with a vendor folder, a nested module and no network names its tests', async () => {
    const { exitCode, reports, output } = await results(
      'export GOPROXY=off GOFLAGS=-mod=vendor; go test ./... && cd tools && GOFLAGS= go test ./...',
      {
        'go.mod': 'module example.com/m\n\ngo 1.19\n\nrequire example.com/dep v1.0.0\n',
        'go.sum': '',
        'vendor/modules.txt': '# example.com/dep v1.0.0\n## explicit\nexample.com/dep\n',
        'vendor/example.com/dep/dep.go': 'package dep\n\nfunc One() int { return 1 }\n',
        'm_test.go':
          'package m\n\nimport (\n\t"testing"\n\n\t"example.com/dep"\n)\n\nfunc TestOne(t *testing.T) {\n\tif dep.One() != 1 {\n\t\tt.Fatal()\n\t}\n}\n',
        'tools/go.mod': 'module example.com/m/tools\n\ngo 1.19\n',
        'tools/gen/gen_test.go': 'package gen\n\nimport "testing"\n\nfunc TestGen(t *testing.T) {}\n',
      },
    );
    expect(exitCode, output).toBe(0);
    expect(named(reports)).toEqual([
      'passed example.com/m TestOne in m_test.go',
      'passed example.com/m/tools/gen TestGen in tools/gen/gen_test.go',
    ]);
  });

  it('that only lists tests leaves no record', async () => {
    const { stdout, reports, unreadable } = await results('go test -list . ./other', MODULE);
    expect(stdout).toContain('TestAdd');
    expect([named(reports), unreadable]).toEqual([[], []]);
  });
});
