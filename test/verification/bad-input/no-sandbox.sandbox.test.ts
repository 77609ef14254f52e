import { afterAll, describe, expect, it } from 'vitest';
import { further } from '../../support/thorough.ts';
import { BASE_FILES, CONFIG, gate, HONEST_CHANGE, VerifiedProject } from '../../support/verified-project.ts';

const opened: VerifiedProject[] = [];
afterAll(() => {
  for (const project of opened) project.cleanup();
});
function project(config: string): VerifiedProject {
  const made = new VerifiedProject({ ...BASE_FILES, '.guardkit/config.yaml': config });
  made.sandbox.noSandbox = 'bubblewrap is not installed here';
  opened.push(made);
  made.write(HONEST_CHANGE);
  return made;
}

describe.concurrent('without a sandbox', () => {
  it('a project that requires one runs nothing', async () => {
    const { exitCode, stdout, stderr } = await project(`${CONFIG}sandbox: {required: true}\n`).guardkit([
      'verify',
      'TASK-001',
      '--json',
    ]);
    expect(exitCode).toBe(3);
    expect(stdout).not.toContain('"gates"');
    expect(stderr).toContain('sandbox.required');
    expect(stderr).toContain('bubblewrap is not installed here');
    expect(stderr).not.toContain('… tests');
  });

  further('any other project is verified, and every result records the missing sandbox', async () => {
    const { exitCode, json, stderr } = await project(CONFIG).verify();
    expect(exitCode, stderr).toBe(0);
    expect(json.sandbox).toBeNull();
    expect(gate(json, 'tests').result).toBe('pass');
    expect(stderr).toContain('bubblewrap is not installed here');
  });
});
