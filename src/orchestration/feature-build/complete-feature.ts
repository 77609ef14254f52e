import type { Repository } from '../../platform/git/repository.ts';
import type { Ledger } from '../../store/ledger/ledger.ts';
import * as refusals from './completion-refusals.ts';
import type { CompletionPlan } from './plan-completion.ts';

const IDENTITY = [
  'GIT_AUTHOR_NAME',
  'GIT_AUTHOR_EMAIL',
  'GIT_COMMITTER_NAME',
  'GIT_COMMITTER_EMAIL',
] as const;

/** Merges as planned, in the person's name, and puts it on record. The merge is made whole before any file of theirs changes. */
export async function completeFeature(
  { repository, ledger, project }: { repository: Repository; ledger: Ledger; project: string },
  plan: CompletionPlan,
  { by, title, env }: { by: string; title: string; env: NodeJS.ProcessEnv },
): Promise<string> {
  const commit = plan.tree === null ? plan.head : await merge(repository, plan, plan.tree, title, env);
  const { featureId: feature_id, tip, into } = plan;
  ledger.append(project, 'feature_completed', { feature_id, tip, commit, into, by });
  return commit;
}

async function merge(
  repository: Repository,
  { featureId, branch, head, tip, into }: CompletionPlan,
  tree: string,
  title: string,
  env: NodeJS.ProcessEnv,
): Promise<string> {
  const person = Object.fromEntries(
    IDENTITY.flatMap((name) => (env[name] ? [[name, env[name]] as const] : [])),
  );
  const known = await repository.attempt(['var', 'GIT_COMMITTER_IDENT'], { env: person });
  if (known.exitCode !== 0) throw refusals.nobody(known.stderr);
  const message = `Merge ${branch}\n\n${featureId}: ${title}`;
  const args = ['commit-tree', tree, '-p', head, '-p', tip, '-m', message];
  const commit = (await repository.run(args, { env: person })).trim();
  // Only forward, so that a branch or a file that was changed meanwhile stops it before anything is written.
  const forward = [
    '--ff-only',
    '--no-squash',
    '--commit',
    '--no-autostash',
    '--no-overwrite-ignore',
    '--no-stat',
  ];
  const moved = await repository.attempt(['merge', '--quiet', ...forward, '--no-verify-signatures', commit], {
    env: person,
    timeoutMs: 10 * 60_000,
  });
  if (moved.exitCode !== 0) throw refusals.moved(into, moved.stderr);
  return commit;
}
