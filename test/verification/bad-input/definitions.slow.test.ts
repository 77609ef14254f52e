import { describe, expect, it, type TestContext } from 'vitest';
import { errorCode } from '../../support/error-code.ts';
import {
  BASE_FILES,
  gate,
  HONEST_CHANGE,
  ONE_PROCESS,
  RUN_TESTS,
  TASK,
  testFile,
  VerifiedProject,
} from '../../support/verified-project.ts';

const BARE = 'project: calc-1234\n';
/** Without coverage, which these tests do not need. */
const GATES =
  'quality_gate_configs:\n  - {task_type: feature, complexity_range: [1, 3], coverage_required: false}\n';
const tests = (more = '') => `${BARE}verify:\n  tests:\n    command: ${RUN_TESTS}\n${more}`;

function project({ onTestFinished }: TestContext, base: Readonly<Record<string, string>>): VerifiedProject {
  const made = new VerifiedProject({
    ...BASE_FILES,
    ...ONE_PROCESS,
    '.guardkit/config/quality-gates.yaml': GATES,
    ...base,
  });
  onTestFinished(() => made.cleanup());
  made.write(HONEST_CHANGE);
  return made;
}

describe.concurrent('a base without commands', () => {
  it('shows the detected commands, and runs nothing until a person confirms once', async (context) => {
    const calc = project(context, {
      '.guardkit/config.yaml': BARE,
      'package.json': '{"name":"calc","type":"module","scripts":{"test":"node --test"}}\n',
    });
    const shown = await calc.guardkit(['verify', 'TASK-001']);
    expect(shown.exitCode).toBe(1);
    expect(shown.stdout).toBe('');
    expect(shown.stderr).toMatch(/npm:\n +verify:\n +tests:\n +command: npm test\n/);
    expect(shown.stderr).toContain('--yes');
    const declined = await calc.guardkit(['verify', 'TASK-001'], { person: true, input: 'n\n' });
    expect(declined.exitCode).toBe(1);
    const agent = await calc.guardkit(['verify', 'TASK-001', '--yes', '--json'], {
      env: { CLAUDECODE: '1' },
    });
    expect(agent.exitCode).toBe(1);
    expect(errorCode(agent)).toBe('person.needed');
    const confirmed = await calc.verify(['TASK-001', '--yes']);
    expect(confirmed.exitCode, confirmed.stderr + confirmed.stdout).toBe(0);
    const again = await calc.verify(['TASK-001'], { env: { CLAUDECODE: '1' } });
    expect(again.exitCode, again.stderr).toBe(0);
  });

  it('and without detectable commands explains what to add', async (context) => {
    const calc = new VerifiedProject({
      '.guardkit/config.yaml': BARE,
      'tasks/TASK-001.md': TASK,
      'src/add.js': BASE_FILES['src/add.js'] ?? '',
    });
    context.onTestFinished(() => calc.cleanup());
    const result = await calc.guardkit(['verify', 'TASK-001']);
    expect(result.exitCode, result.stderr).toBe(2);
    expect(result.stderr).toMatch(/verify:\n +tests:\n +command:/);
    expect((await calc.guardkit(['verify', 'TASK-001', '--yes'])).exitCode).toBe(2);
  });
});

describe.concurrent('a definition that', () => {
  it('does not parse on the base is refused with file and line, until a person accepts a fixed file', async (context) => {
    const calc = project(context, {
      '.guardkit/config.yaml': 'project: calc-1234\nverify:\n  tests: {command: [\n',
    });
    calc.write({ '.guardkit/config.yaml': tests() });
    const broken = await calc.guardkit(['verify', 'TASK-001']);
    expect(broken.exitCode).toBe(2);
    expect(broken.stderr).toMatch(/[0-9a-f]{10} .*:\n +\.guardkit\/config\.yaml:\d+:\d+:/);
    expect(broken.stderr).toContain('guardkit accept');
    const accepted = await calc.guardkit(['accept', '.guardkit/config.yaml'], {
      person: true,
      input: 'y\n',
    });
    expect(accepted.exitCode, accepted.stderr).toBe(0);
    const { exitCode, stdout, stderr } = await calc.verify();
    expect(exitCode, stdout + stderr).toBe(0);
  });

  it('has an unknown key or value is refused with file and line', async (context) => {
    const calc = project(context, {
      '.guardkit/config.yaml': `${BARE}verify:\n  tests:\n    command: node --test\n    tiemout: 3\n`,
    });
    calc.write({ '.guardkit/config.yaml': tests() });
    const { exitCode, stderr } = await calc.guardkit(['verify', 'TASK-001']);
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(/config\.yaml:5:\d+: .*tiemout/);
  });

  it('only the change breaks is refused as well, since the project id is unknown', async (context) => {
    const calc = project(context, { '.guardkit/config.yaml': tests() });
    calc.write({ '.guardkit/config.yaml': 'project: [\n' });
    const { exitCode, stderr } = await calc.guardkit(['verify', 'TASK-001']);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('.guardkit/config.yaml:2');
  });

  it('names a task or feature missing on the base is refused, with how to get it there', async (context) => {
    const calc = project(context, { '.guardkit/config.yaml': tests() });
    calc.write({ 'tasks/TASK-002.md': TASK.replace('TASK-001', 'TASK-002') });
    const unknown = await calc.guardkit(['verify', 'TASK-002', '--json']);
    const { exitCode, stderr } = unknown;
    expect(exitCode).toBe(2);
    expect(errorCode(unknown)).toBe('work.unknown');
    expect(stderr).toMatch(/TASK-002.*[0-9a-f]{10}.*tasks\/TASK-002\.md/);
    expect(stderr).toContain('`git add tasks/TASK-002.md && git commit`');
    expect(stderr).toContain('`guardkit accept tasks/TASK-002.md`');
    const slip = await calc.guardkit(['verify', 'TASK-1', '--json']);
    expect(errorCode(slip)).toBe('work.unknown');
    expect(slip.stderr).toContain('TASK-001');
    expect((await calc.guardkit(['verify', 'FEAT-NONE'])).exitCode).toBe(2);
    expect((await calc.guardkit(['verify', '../../etc/passwd'])).exitCode).toBe(2);
    const accepted = await calc.guardkit(['accept', 'tasks/TASK-002.md'], { person: true, input: 'y\n' });
    expect(accepted.exitCode, accepted.stderr).toBe(0);
    expect((await calc.verify(['TASK-002'])).exitCode).toBe(0);
  });

  it('has two identical criteria is refused with a request for ids', async (context) => {
    const first = TASK.replace(
      '- AC-001: subtracts two numbers',
      '- subtracts two whole numbers quickly\n- subtracts two whole numbers slowly',
    );
    const calc = project(context, { '.guardkit/config.yaml': tests(), 'tasks/TASK-001-subtract.md': first });
    expect((await calc.verify()).exitCode).toBe(0);
    calc.write({
      'tasks/TASK-001-subtract.md': first
        .replace('whole numbers quickly', 'whole numbers')
        .replace('whole numbers slowly', 'whole numbers ok'),
    });
    await calc.guardkit(['accept', 'tasks'], { person: true, input: 'y\n' });
    const { exitCode, stderr } = await calc.guardkit(['verify', 'TASK-001']);
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(/tasks\/TASK-001-subtract\.md:\d+:/);
    expect(stderr).toContain('AC-');
  });

  it('gives its task an unknown type is refused with file and line', async (context) => {
    const calc = project(context, {
      '.guardkit/config.yaml': tests(),
      'tasks/TASK-001-subtract.md': TASK.replace('task_type: feature', 'task_type: featur'),
    });
    const { exitCode, stderr } = await calc.guardkit(['verify', 'TASK-001']);
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(/tasks\/TASK-001-subtract\.md:4:\d+: .*featur/);
  });
});

describe.concurrent('a base that', () => {
  it('is red is reported as such and blocks a change that leaves it red, but not one that fixes it', async (context) => {
    const calc = project(context, {
      '.guardkit/config.yaml': tests(),
      'src/add.js': 'export const add = (a, b) => a * b;\n',
      'tasks/TASK-001-subtract.md': TASK.replace('task_type: feature', 'task_type: bugfix'),
    });
    const { exitCode, json } = await calc.verify();
    expect(exitCode).toBe(1);
    expect(gate(json, 'tests')).toMatchObject({ result: 'fail' });
    expect(json).toMatchObject({ base_trouble: expect.stringMatching(/\badds\b/) });
    calc.write({
      'src/add.js': BASE_FILES['src/add.js'] ?? '',
      'test/add.test.js': testFile('adds', 'add', 'add(2, 3)', '5'),
    });
    const mended = await calc.verify();
    expect(mended.exitCode, mended.stdout).toBe(0);
  });

  it('cannot be set up is reported with the output of its set-up', async (context) => {
    const setup = '  setup: test -f src/sub.js || { echo cannot be set up; exit 3; }\n';
    const calc = project(context, { '.guardkit/config.yaml': tests(setup) });
    const { exitCode, json } = await calc.verify();
    expect(exitCode).toBe(1);
    expect(JSON.stringify(json.base_trouble)).toContain('cannot be set up');
    expect(gate(json, 'tests').result).toBe('pass');
    expect(gate(json, 'new-tests-bite').result).toBe('absent');
  });

  it('has a working set-up is not blamed when the change’s set-up fails', async (context) => {
    const setup = '  setup: test ! -f package-lock.json\n';
    const calc = project(context, { '.guardkit/config.yaml': tests(setup) });
    calc.write({ 'package-lock.json': '{}\n' });
    const { exitCode, json } = await calc.verify();
    expect(exitCode).toBe(1);
    expect(gate(json, 'tests')).toMatchObject({
      result: 'absent',
      reason: expect.stringMatching(/"test ! -f package-lock\.json".*exit 1/),
    });
    expect(json.base_trouble).toBeNull();
  });
});

describe.concurrent('a repository that', () => {
  it('does not exist, or has no commit, is refused with a hint', async (context) => {
    const calc = project(context, { '.guardkit/config.yaml': tests() });
    const none = await calc.guardkit(['verify', 'TASK-001', '--json'], { in: 'outside' });
    expect(none.exitCode).toBe(2);
    expect(errorCode(none)).toBe('git.not-a-repository');
    calc.sandbox.emptyRepository('empty');
    const empty = await calc.guardkit(['verify', 'TASK-001', '--json'], { in: 'empty' });
    expect(empty.exitCode).toBe(2);
    expect(errorCode(empty)).toBe('base.no-commits');
  });

  it('has no such base, or no common commit with it, is refused', async (context) => {
    const calc = project(context, { '.guardkit/config.yaml': tests() });
    for (const ref of ['no-such', '--upload-pack=touch x', 'HEAD:package.json']) {
      const refused = await calc.guardkit(['verify', 'TASK-001', `--base=${ref}`, '--json']);
      expect(refused.exitCode).toBe(2);
      expect(errorCode(refused)).toBe('base.unknown');
    }
    calc.git('checkout', '--quiet', '--orphan', 'other');
    calc.commit('Another beginning');
    const apart = await calc.guardkit(['verify', 'TASK-001', '--json']);
    expect(apart.exitCode).toBe(2);
    expect(errorCode(apart)).toBe('base.no-fork-point');
  });

  it('has a submodule that was never fetched is verified without a crash', async (context) => {
    const calc = project(context, { '.guardkit/config.yaml': tests() });
    calc.git('update-index', '--add', '--cacheinfo', `160000,${'1'.repeat(40)},vendor/lib`);
    calc.write({
      '.gitmodules': '[submodule "vendor/lib"]\n\tpath = vendor/lib\n\turl = ../nowhere\n',
      'vendor/lib/.keep': '',
    });
    const { exitCode, stderr, stdout } = await calc.verify();
    expect(exitCode, stdout + stderr).toBe(0);
  });
});
