import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildCli } from '../support/cli-worker.ts';
import { RunProject } from '../support/run-project.ts';
import { TWELVE_CONFIG, TWELVE_EXPECTED, TWELVE_FEATURES } from '../support/twelve-features.ts';
import { expectPersonsOwn, expectRightEnd, expectSoundLedger, runThroughKills } from './killed-run.ts';

const KILLS = Number(process.env.GUARDKIT_KILLS ?? 20);
const SEEDS = (process.env.GUARDKIT_SEEDS ?? '7,11,13').split(',').map(Number);

let worker = '';
const made: RunProject[] = [];
beforeAll(async () => {
  worker = await buildCli();
});
afterAll(() => {
  for (const project of made) project.cleanup();
});

it.each(SEEDS)(
  `a run of twelve features ends correctly after being killed ${KILLS} times at random moments (seed %i)`,
  { timeout: 1_800_000 },
  async (seed) => {
    const project = new RunProject(TWELVE_FEATURES, TWELVE_CONFIG);
    made.push(project);
    project.workInProgress();
    const before = project.checkout();
    const { json, killed } = await runThroughKills(worker, project, { seed, kills: KILLS });
    expect(killed).toBe(KILLS);
    expectRightEnd(project, json, TWELVE_EXPECTED);
    expectSoundLedger(project);
    expectPersonsOwn(project, before);
  },
);
