import type { TaskDefinition } from '../../config/work/work.ts';
import { FEATURE_LIST_PATH } from '../../domain/protection/protected-paths.ts';
import { GuardKitError } from '../../guardkit-error.ts';
import { readTreeFile } from '../../platform/git/git-tree.ts';
import { identifyCriteria } from '../../verification/criteria.ts';
import type { Base } from '../../verification/definition/find-base.ts';
import { openFeatureVerification } from '../../verification/open-verification.ts';
import type { BuildContext, TaskContext } from './build-context.ts';

/** Reads a task's definition from the commit that the task starts from. */
export async function openTask(context: BuildContext, task: TaskDefinition): Promise<TaskContext> {
  const { record, repository, ledger, project, acceptances, store, verify, listed } = context;
  // A task starts where the previous one ended, and keeps that start over all its turns.
  const began = record
    .steps(task.id)
    .find(({ step, turn }) => step === 'began' && turn > record.resetAfter(task.id));
  const known = began?.data.base_commit;
  const baseCommit = typeof known === 'string' ? known : await taskStart(context);
  if (!(await context.worktree.holds(baseCommit))) throw startedElsewhere(context.worktree.branch, task.id);
  const base: Base = { commit: baseCommit, why: 'where the task started' };
  const verification = await openFeatureVerification({
    project,
    ledger,
    repository,
    store,
    acceptances,
    id: task.id,
    base,
    listed,
    commandsFor: ({ verify: own }) => (own?.tests || !verify.tests ? (own ?? verify) : verify),
  });
  const { definition } = verification;
  const own = definition.tasks.find(({ id }) => id === task.id) ?? task;
  const required = definition.rules.gates.filter(({ values }) => values.arch_review_required.value);
  return {
    ...context,
    task: own,
    taskText: await readTaskText(context, baseCommit, own.path),
    verification,
    definition,
    verify: verification.verify,
    baseCommit,
    criteria: identifyCriteria(ledger, project, own),
    archThreshold:
      required.length === 0
        ? undefined
        : Math.max(...required.map(({ values }) => values.arch_review_threshold.value)),
  };
}

/** The branch's tip after approved tasks; for the first task, where the branch left the base. */
async function taskStart({ record, worktree, repository }: BuildContext): Promise<string> {
  const tip = await worktree.tip();
  const base = record.builds.at(-1)?.base_commit;
  if (base === undefined || record.hasApprovedTask) return tip;
  const forked = await repository.attempt(['merge-base', base, tip]);
  return forked.exitCode === 0 ? forked.stdout.trim() : tip;
}

/** Definitions are read from where the task started, so moving the branch must not change that commit. */
function startedElsewhere(branch: string, taskId: string): GuardKitError {
  return new GuardKitError({
    code: 'worktree.moved',
    kind: 'refused',
    message: `${branch} no longer has the commit that ${taskId} started from.`,
    hint: `Reset the branch to one of its turns (\`git for-each-ref refs/guardkit\`), or restart the task with \`guardkit task reset ${taskId} --reason "…"\`.`,
  });
}

/** A feature that only the list defines has no file on the base. */
async function readTaskText(
  { repository, listed }: BuildContext,
  base: string,
  path: string,
): Promise<string> {
  if (path === FEATURE_LIST_PATH) return listed?.description ?? '';
  return withoutFrontMatter((await readTreeFile(repository, base, path)) ?? '');
}

function withoutFrontMatter(text: string): string {
  if (!/^---\r?\n/.test(text)) return text.trim();
  const end = text.indexOf('\n---', 3);
  return end < 0 ? text.trim() : text.slice(text.indexOf('\n', end + 1) + 1).trim();
}
