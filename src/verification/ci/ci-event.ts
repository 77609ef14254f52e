import * as z from 'zod';

export const CI_SYSTEMS = ['github', 'gitlab'] as const;

export type CiSystem = (typeof CI_SYSTEMS)[number];

/** The CI system that started this program. */
export function ciSystem(env: NodeJS.ProcessEnv): CiSystem | undefined {
  if (env.GITHUB_ACTIONS === 'true') return 'github';
  return env.GITLAB_CI === 'true' ? 'gitlab' : undefined;
}

/** A base that the CI system names: the first revision in this clone counts. */
export interface NamedBase {
  revisions: readonly string[];
  /** For people. */
  why: string;
}

const text = z.string().max(1000);
const githubEventSchema = z.object({
  before: text.optional(),
  pull_request: z.object({ base: z.object({ ref: text, sha: text }) }).optional(),
  merge_group: z.object({ base_ref: text, base_sha: text }).optional(),
  repository: z.object({ default_branch: text }).optional(),
});

/**
 * The base of the change that a CI job runs for. The previous state of a branch counts only for the default branch: on
 * another one it is the candidate's own, which could have changed the rules.
 */
export function namedBase(
  system: CiSystem | undefined,
  env: NodeJS.ProcessEnv,
  readEvent: () => unknown,
): NamedBase | undefined {
  if (system === 'github') return githubBase(env, githubEventSchema.safeParse(readEvent()).data ?? {});
  return system === 'gitlab' ? gitlabBase(env) : undefined;
}

function githubBase(
  env: NodeJS.ProcessEnv,
  { before, pull_request: request, merge_group: group, repository }: z.infer<typeof githubEventSchema>,
): NamedBase | undefined {
  if (group) return { revisions: commits(group.base_sha), why: 'the base of the merge group' };
  const target = env.GITHUB_BASE_REF || request?.base.ref;
  if (target)
    return {
      revisions: [remoteBranch(target), ...commits(request?.base.sha)],
      why: `where this branch forked from ${target}`,
    };
  const main = repository?.default_branch;
  if (main === undefined) return undefined;
  if (env.GITHUB_REF === `refs/heads/${main}`) return beforePush(before);
  return { revisions: [remoteBranch(main)], why: `where this branch forked from ${main}` };
}

function gitlabBase(env: NodeJS.ProcessEnv): NamedBase | undefined {
  const target = env.CI_MERGE_REQUEST_TARGET_BRANCH_NAME;
  if (target)
    return {
      revisions: [
        remoteBranch(target),
        ...commits(env.CI_MERGE_REQUEST_TARGET_BRANCH_SHA),
        ...commits(env.CI_MERGE_REQUEST_DIFF_BASE_SHA),
      ],
      why: `where this branch forked from ${target}`,
    };
  const main = env.CI_DEFAULT_BRANCH;
  if (!main) return undefined;
  if (env.CI_COMMIT_BRANCH === main) return beforePush(env.CI_COMMIT_BEFORE_SHA);
  return { revisions: [remoteBranch(main)], why: `where this branch forked from ${main}` };
}

/** The first push has nothing before it. */
function beforePush(before: string | undefined): NamedBase {
  const known = commits(before).filter((commit) => !/^0+$/.test(commit));
  return known.length > 0
    ? { revisions: known, why: 'before this push' }
    : { revisions: ['HEAD'], why: 'HEAD, as nothing was pushed before' };
}

function commits(value: string | undefined): string[] {
  return value !== undefined && /^[0-9a-f]{40,64}$/.test(value) ? [value] : [];
}

function remoteBranch(name: string): string {
  return `refs/remotes/origin/${name}`;
}
