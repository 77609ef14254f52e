import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { GuardKitError } from '../../guardkit-error.ts';
import type { Repository } from './repository.ts';

const LARGE_BYTES = 50 * 1024 * 1024;
const MANY_FILES = 20_000;
const MAX_NAMED = 3;

/** Why the snapshot failed: the unreadable file if one is found, otherwise git's error. */
export async function explainSnapshotFailure(repository: Repository, error: unknown): Promise<unknown> {
  if (!(error instanceof GuardKitError) || error.code !== 'git.failed') return error;
  const unreadable = /(?:open\("([^"]+)"\)|could not open directory '([^']+)'): Permission denied/.exec(
    error.message,
  );
  const path = unreadable?.[1] ?? unreadable?.[2];
  if (path !== undefined)
    return new GuardKitError({
      code: 'snapshot.unreadable',
      kind: 'input',
      message: `${path} cannot be read, so the working files cannot be verified.`,
      hint: `Make it readable, or add it to .gitignore if it is not part of the project: chmod u+r '${path}'`,
      cause: error,
    });
  const listed = await repository.attempt(['ls-files', '--others', '--exclude-standard', '-z']);
  const untracked = listed.stdout.split('\0').filter((name) => name !== '');
  const large = untracked
    .map((name) => ({ name, size: sizeOf(join(repository.root, name)) }))
    .filter(({ size }) => size >= LARGE_BYTES)
    .sort((a, b) => b.size - a.size);
  if (large.length === 0 && untracked.length < MANY_FILES) return error;
  const named = large
    .slice(0, MAX_NAMED)
    .map(({ name, size }) => `${name} (${Math.round(size / 1024 / 1024)} MB)`);
  const found = large.length > 0 ? named.join(', ') : `${untracked.length} untracked files`;
  return new GuardKitError({
    code: 'snapshot.too-large',
    kind: 'input',
    message: `Git could not read the working files; there are many untracked files: ${found}.`,
    hint: 'Add them to .gitignore or commit them, then try again.',
    cause: error,
  });
}

function sizeOf(path: string): number {
  try {
    return lstatSync(path).size;
  } catch {
    // Safe: a file deleted meanwhile is not the cause.
    return 0;
  }
}
