import { realpathSync } from 'node:fs';
import { readProjectConfig } from '../../../config/project/project-config.ts';
import { requireValid } from '../../../config/yaml/yaml-file.ts';
import { findProject } from '../../../enforcement/hooks/open-enforcement.ts';
import { GuardKitError } from '../../../guardkit-error.ts';
import { SharedRemote } from '../../../orchestration/queue/shared-remote.ts';
import { findGitFolder } from '../../../platform/git/git-folder.ts';
import { Repository } from '../../../platform/git/repository.ts';
import type { Ledger } from '../../../store/ledger/ledger.ts';
import type { PostgresDatabase } from '../../../store/postgres/postgres-database.ts';
import { openQueueDatabase } from '../../../store/shared/open-queue-database.ts';
import { noServer } from '../../../store/shared/queue-error.ts';
import { openProjectLedger } from '../open-project-ledger.ts';
import type { CliContext } from '../program/cli-command.ts';

/** A project's clone on this machine, as the queue sees it. */
export interface QueueClone {
  project: string;
  home: string;
  /** Where the queue is. */
  url: string;
  repository: Repository;
  remote: SharedRemote;
  identity: string;
  limit: number | undefined;
  reserveUsd: number;
}

const REMOTE = 'origin';
const RESERVE_USD = 1;

export async function openClone(context: CliContext): Promise<QueueClone> {
  const { root, store } = await context.workspace();
  if (store.url === undefined) throw noServer();
  const { project, home, ledger } = await openProjectLedger(context);
  const repository = await Repository.open(root ?? context.cwd);
  await rememberCheckout(ledger, repository.root);
  const { queue = {} } = requireValid(await readProjectConfig(repository.root));
  return {
    project,
    home,
    url: store.url,
    repository,
    remote: await SharedRemote.open(repository, queue.remote ?? REMOTE),
    identity: await firstCommit(repository),
    limit: queue.limit,
    reserveUsd: queue.reserve_usd ?? RESERVE_USD,
  };
}

/** The dashboard then finds a clone in which no agent has worked yet. */
async function rememberCheckout(ledger: Ledger, root: string): Promise<void> {
  const git = findGitFolder(root);
  if (git) await findProject(ledger, git, realpathSync.native(git.root));
}

/** The same in every clone. */
async function firstCommit(repository: Repository): Promise<string> {
  if ((await repository.run(['rev-parse', '--is-shallow-repository'])).trim() === 'true')
    throw new GuardKitError({
      code: 'queue.shallow-clone',
      kind: 'input',
      message:
        'This clone is shallow: without its first commit, GuardKit cannot tell which repository it is.',
      hint: 'Run `git fetch --unshallow`, then try again.',
    });
  const roots = (await repository.run(['rev-list', '--max-parents=0', 'HEAD'])).trim().split('\n');
  return roots.sort()[0] ?? '';
}

/** Runs work with the queue's database, and closes it. */
export async function withQueue<Result>(
  url: string | undefined,
  work: (database: PostgresDatabase) => Promise<Result>,
): Promise<Result> {
  const database = await openQueueDatabase(url);
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}
