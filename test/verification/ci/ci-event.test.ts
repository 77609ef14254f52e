import { expect, it } from 'vitest';
import { ciSystem, namedBase } from '../../../src/verification/ci/ci-event.ts';

const SHA = 'a'.repeat(40);
const github = (event: unknown, env: NodeJS.ProcessEnv = {}) =>
  namedBase('github', env, () => event)?.revisions;
const gitlab = (env: NodeJS.ProcessEnv) => namedBase('gitlab', env, () => undefined)?.revisions;
const repository = { default_branch: 'trunk' };

it('finds out which system started it', () => {
  expect(ciSystem({ GITHUB_ACTIONS: 'true' })).toBe('github');
  expect(ciSystem({ GITLAB_CI: 'true' })).toBe('gitlab');
  expect(ciSystem({ CI: 'true' })).toBeUndefined();
});

it('takes the target branch of a pull request, from the variable or the event', () => {
  expect(github(undefined, { GITHUB_BASE_REF: 'main' })).toEqual(['refs/remotes/origin/main']);
  expect(github({ pull_request: { base: { ref: 'v2', sha: SHA } } })).toEqual([
    'refs/remotes/origin/v2',
    SHA,
  ]);
});

it('takes the base of a merge group', () => {
  expect(github({ merge_group: { base_ref: 'refs/heads/main', base_sha: SHA } })).toEqual([SHA]);
});

it('judges a push against the default branch, and only the default branch against its own past', () => {
  expect(github({ before: SHA, repository }, { GITHUB_REF: 'refs/heads/work' })).toEqual([
    'refs/remotes/origin/trunk',
  ]);
  expect(github({ before: SHA, repository }, { GITHUB_REF: 'refs/heads/trunk' })).toEqual([SHA]);
  const first = { before: '0'.repeat(40), repository };
  expect(github(first, { GITHUB_REF: 'refs/heads/trunk' })).toEqual(['HEAD']);
});

it('takes the target branch of a merge request in GitLab, and the default branch elsewhere', () => {
  expect(
    gitlab({ CI_MERGE_REQUEST_TARGET_BRANCH_NAME: 'main', CI_MERGE_REQUEST_DIFF_BASE_SHA: SHA }),
  ).toEqual(['refs/remotes/origin/main', SHA]);
  expect(gitlab({ CI_DEFAULT_BRANCH: 'main', CI_COMMIT_BRANCH: 'work', CI_COMMIT_BEFORE_SHA: SHA })).toEqual([
    'refs/remotes/origin/main',
  ]);
  expect(gitlab({ CI_DEFAULT_BRANCH: 'main', CI_COMMIT_BRANCH: 'main', CI_COMMIT_BEFORE_SHA: SHA })).toEqual([
    SHA,
  ]);
});

it('names no base where an event is not understood', () => {
  for (const event of [null, 'text', [], { pull_request: 1 }, { merge_group: { base_sha: 3 } }])
    expect(github(event)).toBeUndefined();
});

it('takes nothing for a commit that is not one', () => {
  expect(github({ merge_group: { base_ref: 'x', base_sha: '--upload-pack=evil' } })).toEqual([]);
});
