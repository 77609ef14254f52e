import { afterAll, beforeAll, it } from 'vitest';
import { buildCli } from '../support/cli-worker.ts';
import { RunProject } from '../support/run-project.ts';
import { FIVE_EXPECTED, FIVE_FEATURES, TWELVE_CONFIG } from '../support/twelve-features.ts';
import { expectPersonsOwn, expectRightEnd, expectSoundLedger, runThroughKills } from './killed-run.ts';

let worker = '';
const project = new RunProject(FIVE_FEATURES, TWELVE_CONFIG);
beforeAll(async () => {
  worker = await buildCli();
});
afterAll(() => project.cleanup());

it('a run of five features that was killed twice ends correctly: done, blocked and reopened as expected', {
  timeout: 300_000,
}, async () => {
  project.workInProgress();
  const before = project.checkout();
  const { json } = await runThroughKills(worker, project, { seed: 1, kills: 2, entries: 20, ms: 1000 });
  expectRightEnd(project, json, FIVE_EXPECTED);
  expectSoundLedger(project);
  expectPersonsOwn(project, before);
});
