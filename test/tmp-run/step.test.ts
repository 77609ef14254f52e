import { expect, it } from 'vitest';
import { start, expectSoundLedger, type RunJson } from '../e2e/killed-run.ts';
import { buildCli } from '../support/cli-worker.ts';
import { RunProject } from '../support/run-project.ts';
import { TWELVE_CONFIG, TWELVE_FEATURES } from '../support/twelve-features.ts';

it.each([3, 4, 5])('killed at every %i-th entry', { timeout: 900_000 }, async (step) => {
  const worker = await buildCli();
  const some = TWELVE_FEATURES.filter(({ id }) => ['F01', 'F02', 'F03', 'F08'].includes(id));
  const project = new RunProject(some, TWELVE_CONFIG);
  let json: RunJson | undefined;
  let starts = 0;
  for (; starts < 250 && !json; starts++) {
    const ended = await start(worker, project, { at: `${starts % 2 ? 'before' : 'after'}:${step}` });
    if (ended.signal !== 'SIGKILL') {
      if (!ended.stdout) console.log(ended.stderr.slice(-3000));
      json = JSON.parse(ended.stdout) as RunJson;
    }
  }
  console.log(step, starts, json && { done: json.done.map((d) => d.feature), blocked: json.blocked.map((d) => d.feature) });
  expect(json?.done.map((d) => d.feature)).toEqual(['F01', 'F02', 'F03']);
  expect(json?.blocked.map((d) => d.feature)).toEqual(['F08']);
  expectSoundLedger(project);
  project.cleanup();
});
