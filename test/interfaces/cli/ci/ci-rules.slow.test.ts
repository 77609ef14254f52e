import { afterEach, describe, expect, it } from 'vitest';
import { CI_FILES, type CiJson, CiProject, gateOf } from '../../../support/ci-project.ts';
import { HONEST_CHANGE } from '../../../support/verified-project.ts';

const opened: CiProject[] = [];
afterEach(() => {
  for (const project of opened.splice(0)) project.cleanup();
});
function project(files: Readonly<Record<string, string>> = CI_FILES): CiProject {
  const made = new CiProject(files);
  opened.push(made);
  return made;
}

const WAIVER = (paths: string, until = '2999-01-01') =>
  `paths: [${paths}]\nreason: New runner\nuntil: ${until}\nby: Jane\n`;
const SCRIPTED = {
  ...CI_FILES,
  'package.json': '{"name":"calc","private":true,"type":"module","scripts":{"test":"node tests.mjs"}}\n',
  '.guardkit/config.yaml': 'project: calc-1234\nverify:\n  tests:\n    command: npm test\n',
};
const OTHER_SCRIPT = {
  'package.json': SCRIPTED['package.json'].replace('node tests.mjs', 'node tests.mjs || true'),
};

function findingPaths({ findings }: CiJson, gate: string): (string | undefined)[] {
  return findings.filter((one) => one.gate === gate && one.level === 'error').map(({ path }) => path);
}

describe('a branch that changes how it is judged', () => {
  it('[CI-2] fails with every such file, though its work is in order', async () => {
    const calc = project();
    const rules = {
      '.github/workflows/guardkit.yml': 'on: push\n',
      '.guardkit/config.yaml': 'project: calc-1234\nverify:\n  tests:\n    command: "true"\n',
    };
    calc.write({ ...HONEST_CHANGE, ...rules });
    calc.commit('Change\n\nGuardkit-Task: TASK-001');
    const result = await calc.json();
    expect(result).toMatchObject({ exitCode: 1, claims: [{ tested: false, outcome: 'pass' }] });
    expect(gateOf(result.gates, 'rules').result).toBe('fail');
    expect(findingPaths(result, 'rules')).toEqual(Object.keys(rules));
  });

  it('[CI-2] fails if it brings its own waiver, and does not use it', async () => {
    const calc = project(SCRIPTED);
    calc.write({ ...OTHER_SCRIPT, '.guardkit/waivers/mine.yaml': WAIVER("'**'") });
    calc.commit('Permit myself');
    const result = await calc.json();
    expect(result).toMatchObject({ exitCode: 1, waived: [] });
    expect(gateOf(result.gates, 'rules')).toMatchObject({ result: 'fail', code: 'waiver' });
    expect(findingPaths(result, 'harness')).toEqual(['package.json']);
  });

  it('[CI-2] may change what a waiver on the base permits, and the waiver is shown', async () => {
    const calc = project({ ...SCRIPTED, '.guardkit/waivers/runner.yaml': WAIVER('package.json, .github/') });
    calc.write({ ...OTHER_SCRIPT, '.github/workflows/ci.yml': 'on: push\n' });
    calc.commit('New runner');
    const result = await calc.json();
    expect(result).toMatchObject({
      exitCode: 0,
      waived: [
        {
          file: '.guardkit/waivers/runner.yaml',
          by: 'Jane',
          used_for: ['.github/workflows/ci.yml', 'package.json'],
        },
      ],
    });
    const { stdout } = await calc.ci();
    expect(stdout).toMatch(/^! .*Jane.*runner\.yaml.*package\.json/m);
  });

  it('[CI-2] may not use a waiver that has expired', async () => {
    const calc = project({ ...SCRIPTED, '.guardkit/waivers/old.yaml': WAIVER('package.json', '2020-01-01') });
    calc.write(OTHER_SCRIPT);
    calc.commit('New runner');
    const result = await calc.json();
    expect(result).toMatchObject({
      exitCode: 1,
      waived: [],
      expired_waivers: [{ file: '.guardkit/waivers/old.yaml' }],
    });
    expect(findingPaths(result, 'harness')).toEqual(['package.json']);
  });

  it('is not judged by a waiver on the base that cannot be read', async () => {
    const calc = project({ ...CI_FILES, '.guardkit/waivers/bad.yaml': 'paths: x.js\nuntil: soon\n' });
    const failure = await calc.sandbox.failure(['ci'], { in: calc.clone(), env: calc.pullRequest() });
    expect(failure).toMatchObject({ exitCode: 2, code: 'config.invalid' });
  });

  it('[CI-1] fails if it comes from before the newest rules', async () => {
    const calc = project();
    calc.write(HONEST_CHANGE);
    calc.commit('Subtract');
    calc.git('checkout', '--quiet', 'main');
    calc.write({ '.guardkit/guards/new.yaml': 'id: new\n' });
    calc.commit('Stricter');
    calc.git('checkout', '--quiet', 'work');
    const old = await calc.json();
    expect(old.exitCode).toBe(1);
    expect(gateOf(old.gates, 'rules')).toMatchObject({ result: 'fail', code: 'outdated' });
    calc.git('merge', '--quiet', '--no-edit', 'main');
    expect(await calc.json()).toMatchObject({ exitCode: 0, outcome: 'pass' });
  });

  it('cannot hide a credential by declaring its file binary', async () => {
    const calc = project();
    calc.write({
      '.gitattributes': '* -diff binary\n',
      'src/key.js': `const a = 1;\nexport const key = 'ghp_${'a1B2'.repeat(9)}';\n`,
    });
    calc.commit('Key');
    const result = await calc.json();
    expect(result.exitCode).toBe(1);
    expect(result.findings).toContainEqual(
      expect.objectContaining({ gate: 'secrets', level: 'error', path: 'src/key.js', line: 2 }),
    );
    expect(JSON.stringify(result)).not.toContain('ghp_a1B2');
  });

  it('[CI-1] gains nothing by a forged ledger, acceptance or feature list', async () => {
    const calc = project(SCRIPTED);
    calc.write({
      ...OTHER_SCRIPT,
      '.claude/progress/feature-list.json': JSON.stringify({ features: [{ id: 'TASK-001', tested: true }] }),
    });
    calc.commit('Forge\n\nGuardkit-Task: TASK-001');
    const runner = calc.clone();
    await calc.sandbox.guardkit(['accept', 'package.json', '--yes'], { in: runner, person: true });
    const result = await calc.json([], { in: runner });
    expect(result).toMatchObject({ exitCode: 1, claims: [{ id: 'TASK-001', tested: false }] });
    expect(findingPaths(result, 'harness')).toEqual(['package.json']);
  });
});
