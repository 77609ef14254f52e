import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RUN_TESTS } from '../../support/verified-project.ts';
import { CheatBase, config, HONEST, QUICK_PROJECT } from './cheat-project.ts';
import { mark, PLANTED_PROJECT, PLANTS, printedInRuns } from './planted-environment.ts';

const WITH_EVERYTHING = config(
  `setup: sh everything.sh\ntests:\n  command: sh everything.sh && ${RUN_TESTS}\n`,
);
const active = PLANTS.filter(({ skip }) => skip === undefined);

describe.each(['in the sandbox', 'without a sandbox'])('a person’s environment, %s', (where) => {
  const base = new CheatBase({
    ...QUICK_PROJECT,
    ...PLANTED_PROJECT,
    '.guardkit/config.yaml': WITH_EVERYTHING,
  });
  const { sandbox } = base;
  afterAll(() => base.cleanup());

  const control = new Map<string, string>();
  let printed = '';
  let outcome: string | undefined;

  beforeAll(async () => {
    const project = base.project().write(HONEST);
    // One at a time, to prove that each plant works.
    let planted: Record<string, string> = {};
    for (const plant of active) {
      const variables = plant.put(sandbox);
      planted = { ...planted, ...variables };
      const env = { ...sandbox.env, GIT_CONFIG_GLOBAL: sandbox.path('home/.gitconfig'), ...variables };
      const ran = spawnSync('sh', ['everything.sh'], { cwd: project.path(), env, encoding: 'utf8' });
      control.set(plant.name, `${ran.stdout}${ran.stderr}`);
    }
    project.git('clean', '-fdxq', 'scratch');
    if (where === 'without a sandbox') sandbox.noSandbox = 'this test has none';
    const answer = await project.verify({ env: planted });
    ({ outcome } = answer);
    printed = `${printedInRuns(sandbox)}${answer.stderr}`;
  }, 300_000);

  it('changes no verdict', () => {
    expect(outcome).toBe('pass');
    expect(printed).toContain('multiplies two numbers');
  });

  for (const { name, skip } of PLANTS)
    it.skipIf(skip)(`does not reach a run through ${name}${skip === undefined ? '' : ` (${skip})`}`, () => {
      expect(control.get(name)).toContain(mark(name));
      expect(printed).not.toContain(mark(name));
    });
});
