import { closeSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { GuardKitError } from '../../guardkit-error.ts';
import { AtomicFile, writeFileAtomic } from '../../platform/files/atomic-file.ts';
import { makeFolder } from '../../platform/files/make-folder.ts';
import type { Repository } from '../../platform/git/repository.ts';
import type { EpisodeStore } from '../../store/episode-store.ts';
import { exportHeader } from '../../store/export-file.ts';

export interface TurnRef {
  ref: string;
  commit: string;
}

export interface ArchivedTurns {
  feature: string;
  /** All versions of the turns, in the export format. */
  file: string;
  /** The commit of each ref. */
  refsFile: string | null;
  /** A git bundle with the commits; null if no turn changed anything. */
  bundle: string | null;
  refs: TurnRef[];
}

export interface ArchiveRequest {
  home: string;
  group: string;
  store: EpisodeStore;
  repository: Repository;
  feature: string;
  turnIds: ReadonlySet<string>;
  refs: TurnRef[];
  /** Where the feature's first attempt started; earlier commits are the project's history and not archived. */
  base: string | undefined;
  at: number;
}

const LONG_MS = 10 * 60_000;

/** Writes a feature's turns and their commits to the archive and syncs them to disk. */
export async function archiveTurns(request: ArchiveRequest): Promise<ArchivedTurns> {
  try {
    return await writeArchive(request);
  } catch (error) {
    throw isFileError(error) ? notArchived(request, error) : error;
  }
}

async function writeArchive(request: ArchiveRequest): Promise<ArchivedTurns> {
  const { home, group, feature, refs, at } = request;
  const folder = join(home, 'archive');
  makeFolder(folder, 0o700);
  const time = new Date(at).toISOString().replace(/[:.]/g, '-');
  const name = join(folder, `pruned-${group}-${feature}-${time}`);
  const bundle = await writeBundle(request, `${name}.bundle`);
  const refsFile = refs.length > 0 ? `${name}.refs.json` : null;
  if (refsFile) writeFileAtomic(refsFile, `${JSON.stringify({ feature, refs }, null, 2)}\n`, 0o600);
  const file = `${name}.jsonl`;
  await writeTurns(request, file);
  return { feature, file, refsFile, bundle, refs };
}

async function writeTurns({ store, group, turnIds }: ArchiveRequest, file: string): Promise<void> {
  const target = new AtomicFile(file, 0o600);
  try {
    target.write(`${JSON.stringify(exportHeader())}\n`);
    for await (const record of store.export({ groups: [group] })) {
      const id = record.kind === 'episode' ? record.entity_id : record.from_id;
      if (turnIds.has(id)) target.write(`${JSON.stringify(record)}\n`);
    }
    target.commit();
  } catch (error) {
    target.discard();
    throw error;
  }
}

/** A turn that changed nothing has its feature's start commit, which needs no archiving. */
async function writeBundle({ repository, refs, base }: ArchiveRequest, file: string): Promise<string | null> {
  const known = base === undefined ? undefined : await repository.commit(base);
  const own = refs.filter(({ commit }) => commit !== known);
  if (own.length === 0) return null;
  const temporary = `${file}.tmp`;
  const input = [...own.map(({ ref }) => ref), ...(known === undefined ? [] : [`^${known}`])].join('\n');
  try {
    await repository.run(['bundle', 'create', '--quiet', temporary, '--stdin'], {
      input: `${input}\n`,
      timeoutMs: LONG_MS,
    });
    await requireWhole(repository, temporary, own);
    syncFile(temporary);
    renameSync(temporary, file);
    return file;
  } finally {
    rmSync(temporary, { force: true });
  }
}

/** Git omits a ref without commits of its own from a bundle, with only a warning. */
async function requireWhole(repository: Repository, bundle: string, refs: readonly TurnRef[]): Promise<void> {
  const heads = new Set((await repository.run(['bundle', 'list-heads', bundle])).split('\n'));
  const missing = refs.find(({ ref, commit }) => !heads.has(`${commit} ${ref}`));
  if (missing) throw new Error(`the bundle ${bundle} lacks ${missing.ref}`);
}

function syncFile(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** An error from the file system, not from the store or git. */
function isFileError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error && 'code' in error;
}

function notArchived({ home, feature }: ArchiveRequest, error: NodeJS.ErrnoException): GuardKitError {
  return new GuardKitError({
    code: 'archive.not-written',
    kind: 'outside',
    message: `Cannot write the turns of ${feature} to ${join(home, 'archive')} (${error.code}).`,
    hint: 'No turn was pruned. Make the folder writable and free some disk space.',
    cause: error,
  });
}
