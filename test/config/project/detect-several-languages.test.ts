import { describe, expect, it } from 'vitest';
import { detect, node } from './detect-fixture.ts';

describe('projects of several languages in subfolders', () => {
  const WEB = node({ test: 'vitest run' }, { vitest: '^3.0.0', '@vitest/coverage-v8': '^3.0.0' });
  const MACHINE = { programs: ['npm', 'python3', 'go'], modules: { python3: ['pytest', 'pytest_cov'] } };
  const API = {
    'api/pyproject.toml': '[project]\nname = "api"\n[tool.pytest.ini_options]\n',
    'api/tests/test_a.py': 'def test_a(): pass\n',
  };

  it('run in one command, each with its set-up and its own report of coverage', () => {
    const found = detect({ ...API, 'web/package.json': WEB, 'web/package-lock.json': '{}' }, MACHINE);
    expect(found).toMatchObject({
      kind: 'pytest, npm',
      verify: {
        setup: '(cd web && npm ci)',
        tests: {
          command:
            'failed=0; (cd api && python3 -m pytest) || failed=1; (cd web && npm test) || failed=1; exit $failed',
        },
        coverage: { report: ['api/coverage.xml', 'web/coverage/lcov.info'] },
      },
    });
    expect(found?.verify.coverage?.command).toMatch(/\(cd api && .*--cov.*\(cd web && .*--coverage/);
  });

  it('whose tests write the report themselves run when coverage is measured', () => {
    const go = { 'server/go.mod': 'module s\n', 'server/s_test.go': '' };
    const { coverage } = detect({ ...go, 'web/package.json': WEB }, MACHINE)?.verify ?? {};
    expect(coverage).toMatchObject({ report: ['server/cover.out', 'web/coverage/lcov.info'] });
    expect(coverage?.command).toContain('(cd server && go test -coverprofile=cover.out ./...) || failed=1');
  });

  it('are found in folders for projects, and examples, documentation and tools are not among them', () => {
    const found = detect(
      {
        'apps/web/package.json': WEB,
        'services/api/pyproject.toml': API['api/pyproject.toml'],
        'services/api/tests/test_a.py': '',
        'examples/one/package.json': WEB,
        'docs/package.json': WEB,
        'e2e/package.json': WEB,
      },
      MACHINE,
    );
    expect(found?.verify.tests?.command).toBe(
      'failed=0; (cd apps/web && npm test) || failed=1; (cd services/api && python3 -m pytest) || failed=1; exit $failed',
    );
  });

  it('run beside tests of Python at the root that have no settings', () => {
    const files = { 'backend/test_b.py': 'def test_b(): pass\n', 'web/package.json': WEB };
    expect(detect(files, MACHINE)?.verify.tests?.command).toBe(
      'failed=0; python3 -m pytest || failed=1; (cd web && npm test) || failed=1; exit $failed',
    );
  });

  it('are named in a note if the root is a project of another language whose commands do not run them', () => {
    const root = { 'go.mod': 'module s\n', 's_test.go': '' };
    const found = detect({ ...root, 'web/package.json': WEB }, MACHINE);
    expect(found?.verify.tests?.command).toMatch(/^go test/);
    expect(found?.leftOut).toEqual([expect.stringContaining('`cd web && npm test`')]);
    const asked = { ...root, Makefile: 'test:\n\tgo test && cd web && npm test\n', 'web/package.json': WEB };
    expect(detect(asked, MACHINE)?.leftOut).toBeUndefined();
  });

  it('are left out if their programs are missing on this machine, and named in a note', () => {
    const ruby = { 'ruby/Gemfile': 'gem "rspec"\n', 'ruby/spec/a_spec.rb': '' };
    const found = detect({ ...API, ...ruby, 'web/package.json': WEB }, MACHINE);
    expect(found?.verify.tests?.command).not.toContain('ruby');
    expect(found?.leftOut).toEqual([expect.stringMatching(/\bruby\b.*\bbundle\b/)]);
  });
});
