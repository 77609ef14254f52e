import { afterAll, expect, it } from 'vitest';
import { GuardedProject } from '../guarded-project.ts';

const project = new GuardedProject();
afterAll(() => project.cleanup());
project.write('../.guardkit/keys/machine.pem', 'key');

function guards(action: Parameters<GuardedProject['judge']>[0]): string[] {
  return project.judge(action).findings.map(({ guard }) => guard);
}

it('an agent does not read the signing key, by a tool or a command', () => {
  const key = `${project.dataFolder}/keys/machine.pem`;
  expect(guards(project.read(key))).toContain('signing-key');
  expect(project.judge(project.read(key)).decision).toBe('deny');
  expect(guards(project.command(`cat ${key}`))).toContain('signing-key');
  expect(guards(project.read(`${project.dataFolder}/keys/../keys/machine.pem`))).toContain('signing-key');
});

it('other files of the data folder stay readable', () => {
  expect(guards(project.read(`${project.dataFolder}/ledger.db`))).not.toContain('signing-key');
  expect(guards(project.read('src/index.ts'))).toEqual([]);
});
