import { mkdirSync } from 'node:fs';
import { afterAll, expect, it } from 'vitest';
import { followOnRemote } from '../../../src/orchestration/queue/integrate-feature.ts';
import type { QueuedBuild } from '../../../src/orchestration/queue/queued-build.ts';
import { SharedRemote } from '../../../src/orchestration/queue/shared-remote.ts';
import type { RunSettings } from '../../../src/orchestration/run/run-settings.ts';
import { Repository } from '../../../src/platform/git/repository.ts';
import { Sandbox } from '../../support/cli.ts';

const sandbox = new Sandbox();
afterAll(() => sandbox.cleanup());
const BRANCH = 'guardkit/run-1';

it('[MANY-2] a worker that was held up after it completed a feature does not move the branch back', async () => {
  sandbox.repository('clone');
  mkdirSync(sandbox.path('remote.git'));
  sandbox.git('remote.git', 'init', '--quiet', '--bare');
  sandbox.git('clone', 'remote', 'add', 'origin', sandbox.path('remote.git'));
  const commit = (...parents: string[]) =>
    sandbox.git(
      'clone',
      'commit-tree',
      'HEAD^{tree}',
      ...parents.flatMap((one) => ['-p', one]),
      '-m',
      'Next',
    );
  const [first, second] = [sandbox.git('clone', 'rev-parse', 'HEAD')].flatMap((base) => {
    const next = commit(base);
    return [next, commit(next)];
  });
  const repository = await Repository.open(sandbox.path('clone'));
  const notices: unknown[] = [];
  const run = { repository, clock: Date.now, emit: (event: unknown) => notices.push(event) };
  const remote = await SharedRemote.open(repository, 'origin');
  const follow = (tip = '') =>
    followOnRemote(run as unknown as RunSettings, { remote } as unknown as QueuedBuild, BRANCH, tip);
  const found = () => sandbox.git('remote.git', 'rev-parse', BRANCH);
  await follow(first);
  expect(found()).toBe(first);
  await follow(second);
  expect(found()).toBe(second);
  expect(notices).toEqual([]);
  await follow(first);
  expect(found()).toBe(second);
});
