import { afterAll, beforeAll, it } from 'vitest';
import { buildCli } from '../support/cli-worker.ts';
import { RunProject } from '../support/run-project.ts';
import { TWELVE_CONFIG, TWELVE_FEATURES } from '../support/twelve-features.ts';
import { expectPersonsOwn, expectRightEnd, expectSoundLedger, runThroughKills } from './killed-run.ts';

let worker = '';
const project = new RunProject(TWELVE_FEATURES, TWELVE_CONFIG);
beforeAll(async () => {
  worker = await buildCli();
});
afterAll(() => project.cleanup());

it('a run of twelve features that was killed three times ends correctly: done, blocked and reopened as expected', {
  timeout: 300_000,
}, async () => {
  project.workInProgress();
  const before = project.checkout();
  const { json } = await runThroughKills(worker, project, { seed: 1, kills: 3 });
  expectRightEnd(project, json);
  expectSoundLedger(project);
  expectPersonsOwn(project, before);
});
