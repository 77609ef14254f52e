import { afterAll, describe, expect, it } from 'vitest';
import { errorCode } from '../../support/error-code.ts';
import { BASE_FILES, gate, HONEST_CHANGE, VerifiedProject } from '../../support/verified-project.ts';

const PERSON = { person: true, input: 'y\n' } as const;

function project(): VerifiedProject {
  const calc = new VerifiedProject({
    ...BASE_FILES,
    // Coverage is required, and nothing measures it.
    '.guardkit/config.yaml': 'project: calc-1234\nverify:\n  tests:\n    command: npm test\n',
    'package.json': '{"name":"calc","type":"module","scripts":{"test":"node --test"}}\n',
  });
  calc.write(HONEST_CHANGE);
  return calc;
}

const calc = project();
const harness = project();
afterAll(() => {
  calc.cleanup();
  harness.cleanup();
});

describe('a manual decision of a person', () => {
  it('to accept a changed harness is refused to programs, and valid for that content only', async () => {
    harness.write({
      'package.json':
        '{"name":"calc","type":"module","scripts":{"test":"node --test --test-concurrency=1"}}\n',
    });
    const { json, exitCode } = await harness.verify();
    expect(exitCode).toBe(1);
    expect(gate(json, 'harness')).toMatchObject({
      result: 'fail',
      reason: expect.stringContaining('guardkit accept package.json'),
    });
    const program = await harness.guardkit(['accept', 'package.json', '--json']);
    expect(program.exitCode).toBe(1);
    expect(errorCode(program)).toBe('person.needed');
    const declined = await harness.guardkit(['accept', 'package.json'], { person: true, input: 'n\n' });
    expect(declined.exitCode).toBe(1);
    const tried = await harness.guardkit(['accept', 'package.json', '--dry-run']);
    expect(tried).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('package.json') });
    expect(gate((await harness.verify()).json, 'harness').result).toBe('fail');
    const unchanged = await harness.guardkit(['accept', 'src/add.js', '--json'], PERSON);
    expect(unchanged.exitCode).toBe(2);
    expect(errorCode(unchanged)).toBe('accept.unchanged');
    const said = await harness.guardkit(['accept', 'package.json', '--reason', 'one at a time'], PERSON);
    expect(said.exitCode, said.stderr).toBe(0);
    const accepted = await harness.verify();
    expect(gate(accepted.json, 'harness').result).toBe('pass');
    harness.write({ 'package.json': '{"name":"calc","type":"module","scripts":{"test":"true"}}\n' });
    expect(gate((await harness.verify()).json, 'harness').result).toBe('fail');
  });

  it('to vouch for a gate that cannot run is refused to programs, shown as manual, and stale after the next change', async () => {
    const before = await calc.verify();
    expect(before.exitCode).toBe(1);
    expect(gate(before.json, 'coverage')).toMatchObject({ result: 'absent', required: true });
    const vouch = ['evidence', 'TASK-001', '--vouch', 'coverage', '--reason', 'read it line by line'];
    const program = await calc.guardkit([...vouch, '--json']);
    expect(program.exitCode).toBe(1);
    expect(errorCode(program)).toBe('person.needed');
    expect((await calc.guardkit(['evidence', 'TASK-001', '--vouch', 'coverage'], PERSON)).exitCode).toBe(2);
    const slip = ['evidence', 'TASK-001', '--vouch', 'coverag', '--reason', 'x', '--json'];
    expect(errorCode(await calc.guardkit(slip, PERSON))).toBe('gate.unknown');
    expect((await calc.guardkit([...vouch, '--dry-run'])).exitCode).toBe(0);
    expect(gate((await calc.verify()).json, 'coverage').result).toBe('absent');
    expect((await calc.guardkit(vouch, PERSON)).exitCode).toBe(0);
    const vouched = await calc.verify();
    expect(vouched.exitCode, vouched.stdout).toBe(0);
    expect(gate(vouched.json, 'coverage')).toMatchObject({
      result: 'pass',
      manual: true,
      reason: expect.stringContaining('read it line by line'),
    });
    expect((await calc.guardkit(['verify', 'TASK-001'])).stdout).toContain('✎ coverage');
    const current = JSON.parse((await calc.guardkit(['evidence', 'TASK-001', '--json'])).stdout);
    expect(current).toMatchObject({ tested: true, verification: { stale: false, outcome: 'pass' } });
    expect(current.evidence.filter((one: { manual: boolean }) => one.manual)).toEqual([
      expect.objectContaining({ check: 'coverage', stale: false, by: 'test' }),
    ]);

    calc.write({ 'src/sub.js': 'export const sub = (a, b) => -b + a;\n' });
    const changed = await calc.guardkit(['evidence', 'TASK-001', '--json']);
    expect(JSON.parse(changed.stdout)).toMatchObject({ tested: false, verification: { stale: true } });
    const shown = (await calc.guardkit(['evidence', 'TASK-001'])).stdout;
    expect(shown).toMatch(/coverage +stale .*read it line by line/);
    expect(gate((await calc.verify()).json, 'coverage')).toMatchObject({ result: 'absent', manual: false });
  });

  it('cannot override a failure', async () => {
    calc.write({ 'src/sub.js': 'export const sub = () => 7;\n' });
    await calc.guardkit(['evidence', 'TASK-001', '--vouch', 'tests', '--reason', 'they work for me'], PERSON);
    expect(gate((await calc.verify()).json, 'tests')).toMatchObject({ result: 'fail', manual: false });
  });

  it('distinguishes work that was never verified from stale work', async () => {
    await calc.guardkit(['task', 'create', 'Another', '--criterion', 'it is there']);
    const { stdout, exitCode } = await calc.guardkit(['evidence', 'TASK-002', '--json']);
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ tested: false, verification: null });
    const none = await calc.guardkit(['evidence', 'TASK-404']);
    expect(none.exitCode).toBe(2);
  });
});
