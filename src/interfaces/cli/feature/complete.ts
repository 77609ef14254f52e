import * as z from 'zod';
import { OUTSIDE_THE_TREE } from '../../../domain/protection/project-paths.ts';
import { currentActor } from '../../../enforcement/feature-list/change-actor.ts';
import { listContext } from '../../../enforcement/feature-list/known-list.ts';
import { closeFeature } from '../../../enforcement/feature-list/record-verification.ts';
import { refreshTested } from '../../../enforcement/feature-list/refresh-tested.ts';
import { GuardKitError } from '../../../guardkit-error.ts';
import { lockFeature } from '../../../orchestration/feature-build/build-locks.ts';
import { BuildRecord } from '../../../orchestration/feature-build/build-record.ts';
import {
  type CompletionPlan,
  completeFeature,
  planCompletion,
} from '../../../orchestration/feature-build/complete-feature.ts';
import { removeWorktree } from '../../../orchestration/feature-build/remove-worktree.ts';
import { systemClock } from '../../../platform/clock.ts';
import { treeWithout } from '../../../platform/git/git-tree.ts';
import type { Repository } from '../../../platform/git/repository.ts';
import { publicKeyOf } from '../../../platform/signing/dsse.ts';
import { readMachineKey } from '../../../platform/signing/machine-key.ts';
import { featureIds, readFeature } from '../../../store/ledger/tables/feature-table.ts';
import { findAttestation } from '../../../verification/attestation/check-attestation.ts';
import { Acceptances } from '../../../verification/definition/acceptances.ts';
import { loadDefinition } from '../../../verification/definition/load-definition.ts';
import { trustedKeys } from '../attestation/trusted-keys.ts';
import { openHistory } from '../feature-build/open-history.ts';
import { confirm } from '../input/questions.ts';
import { oneLine, plural } from '../output/printable.ts';
import { type CliContext, defineCommand, type Report } from '../program/cli-command.ts';
import { personName, requirePerson } from '../verification/person-name.ts';

export const complete = defineCommand({
  name: 'complete',
  summary: 'Merge a build or mark work completed (person only)',
  arguments: [['<id>', 'Feature, or its only task']],
  options: [
    ['--yes', 'Merge and remove the worktree without asking (person only)'],
    ['--require-attestation', 'Refuse unless its result is signed by a trusted key'],
    ['--trust <file>', 'PEM file of keys to trust (default: this machine’s)', 'repeatable'],
  ],
  changes: true,
  schema: z.object({
    id: z.string().min(1),
    yes: z.boolean().default(false),
    requireAttestation: z.boolean().default(false),
    trust: z.array(z.string().min(1)).default([]),
    dryRun: z.boolean().default(false),
  }),
  run: runComplete,
});

const MOST_SHOWN = 30;

interface CompleteInput {
  id: string;
  yes: boolean;
  requireAttestation: boolean;
  trust: readonly string[];
  dryRun: boolean;
}

async function runComplete(context: CliContext, input: CompleteInput): Promise<Report> {
  const { id, yes, dryRun } = input;
  const { repository, ledger, project } = await openHistory(context);
  const { store, home } = await context.workspace();
  const head = (await repository.commit('HEAD')) ?? 'HEAD';
  const base = { commit: head, why: 'the branch that is merged into' };
  const acceptances = Acceptances.read(ledger, project);
  const listedIds = featureIds(ledger, project);
  const load = (of: string) => {
    const listed = readFeature(ledger, project, of);
    return loadDefinition({ repository, base, id: of, acceptances, store, listed, listedIds });
  };
  const asked = await load(id);
  const { feature, tasks } = asked.feature.id === id ? asked : await load(asked.feature.id);
  const lock = await lockFeature(home, project, feature.id);
  try {
    const record = new BuildRecord(ledger, project, feature.id);
    const ids = tasks.map((task) => task.id);
    const list = listContext(ledger, project, repository.root, home);
    const readKnown = async () => {
      await refreshTested(list, currentActor(list, context.env));
      return readFeature(ledger, project, feature.id);
    };
    const plan = await planCompletion({ repository, ledger, project, record, tasks: ids, readKnown });
    if (input.requireAttestation) await requireAttestation(context, repository, plan, input.trust);
    if (dryRun)
      return report(plan, null, false, [
        plan.built ? 'would merge' : 'would complete',
        ...describePlan(plan),
      ]);
    requirePerson(context, 'complete a feature');
    if (!yes && !(await confirm(context, [...describePlan(plan), question(plan)].join('\n'))))
      throw declined();
    const commit = await completeFeature({ repository, ledger, project }, plan, {
      by: personName(context.env),
      title: oneLine(feature.name, 200),
      env: context.env,
    });
    const merged = await treeWithout(repository, plan.tip, OUTSIDE_THE_TREE);
    closeFeature(list, currentActor(list, context.env), { feature, tasks }, merged);
    const done =
      plan.tree === null
        ? `${feature.id} is completed: ${plan.into} contains it.`
        : `${feature.id} is completed: merged into ${plan.into} as ${commit.slice(0, 12)}.`;
    const { built } = plan;
    const remove =
      built !== null &&
      (yes ||
        (await confirm(
          context,
          `Remove the worktree ${built.worktree} and the branch ${built.branch}? All turns stay under refs/guardkit.`,
        )));
    const left = remove
      ? await removeWorktree(repository, { featureId: feature.id, ...built }, systemClock())
      : undefined;
    const isUnsigned = plan.tree !== null && (await signsCommits(repository));
    return report(
      plan,
      commit,
      remove,
      [done, ...(left?.kept ? [`Uncommitted files of the worktree are kept on ${left.kept}.`] : [])],
      isUnsigned ? [UNSIGNED] : [],
    );
  } finally {
    lock.release();
  }
}

const UNSIGNED = 'The merge commit is not signed. To sign it: `git commit --amend --no-edit`.';

/** Whether the person's git signs commits. GuardKit's git does not, since the repository can name the program for it. */
async function signsCommits(repository: Repository): Promise<boolean> {
  const question = ['config', '--show-scope', '--type=bool', '--get-all', 'commit.gpgSign'];
  const { stdout } = await repository.attempt(question);
  const settings = stdout.split('\n').filter((line) => line !== '' && !line.startsWith('command'));
  return settings.at(-1)?.endsWith('true') === true;
}

async function requireAttestation(
  context: CliContext,
  repository: Repository,
  { featureId, tip }: CompletionPlan,
  trust: readonly string[],
): Promise<void> {
  const { home } = await context.workspace();
  const own = trust.length === 0 ? readMachineKey(home) : undefined;
  const keys = own ? [publicKeyOf(own)] : trustedKeys(context.cwd, trust);
  const found = await findAttestation({ repository, commit: tip, id: featureId, keys, now: systemClock() });
  if (found.ok) return;
  throw new GuardKitError({
    code: 'complete.not-attested',
    kind: 'refused',
    message: `${featureId} is not attested at ${tip.slice(0, 12)}: ${found.why}.`,
    hint: `Run \`guardkit attest ${featureId} --commit ${tip.slice(0, 12)} --note\` on a trusted machine.`,
  });
}

function describePlan({ featureId, built, tip, into, commits, files, tree }: CompletionPlan): string[] {
  if (built === null) return [`${featureId} was done on ${into} and is tested at ${tip.slice(0, 12)}.`];
  const { branch } = built;
  if (tree === null) return [`${into} already contains ${branch} (${tip.slice(0, 12)}).`];
  const shown = <Item>(items: readonly Item[], line: (item: Item) => string) => [
    ...items.slice(0, MOST_SHOWN).map(line),
    ...(items.length > MOST_SHOWN ? [`  and ${items.length - MOST_SHOWN} more`] : []),
  ];
  return [
    `${branch} (${tip.slice(0, 12)}) into ${into}: ${plural(commits.length, 'commit')}, ${plural(files.length, 'file')}`,
    ...shown(commits, ({ commit, subject }) => `  ${commit.slice(0, 12)} ${oneLine(subject, 200)}`),
    ...shown(files, ({ path, change }) => `  ${change.padEnd(8)} ${oneLine(path, 300)}`),
  ];
}

function question({ featureId, into, tree }: CompletionPlan): string {
  return tree === null ? `Record ${featureId} as completed?` : `Merge ${featureId} into ${into}?`;
}

function report(
  plan: CompletionPlan,
  commit: string | null,
  removed: boolean,
  lines: readonly string[],
  notices: readonly string[] = [],
): Report {
  const { featureId: feature, built, tip, into, commits, files, tree, together } = plan;
  return {
    json: {
      feature,
      branch: built?.branch ?? null,
      tip,
      into,
      commits,
      files,
      already_merged: tree === null,
      moved_on: together,
      completed: commit !== null,
      commit,
      worktree_removed: removed,
    },
    text: lines.join('\n'),
    notices: [
      ...(together
        ? [
            `${into} has new commits since the feature was started, and the combination was not verified. Run your tests.`,
          ]
        : []),
      ...notices,
    ],
  };
}

function declined(): GuardKitError {
  return new GuardKitError({
    code: 'complete.declined',
    kind: 'refused',
    message: 'Cancelled; nothing merged.',
    hint: 'Use --dry-run to preview.',
  });
}
