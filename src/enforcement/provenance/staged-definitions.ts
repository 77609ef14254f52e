import { hash } from 'node:crypto';
import { lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isShape, isText } from '../../domain/json/plain-shape.ts';
import {
  DEFINITION_FOLDERS,
  definitionDigest,
  isDefinitionPath,
} from '../../domain/protection/project-paths.ts';
import { fileStamp } from '../../platform/files/file-stamp.ts';
import { cachedTrees } from '../../platform/git/cached-trees.ts';
import { readHead } from '../../platform/git/git-refs.ts';
import { gitSync } from '../../platform/git/git-sync.ts';
import { filesOf, readBlobs } from '../../platform/git/git-versions.ts';
import { cacheRead, findCached } from '../../store/ledger/tables/read-cache.ts';
import type { WatchContext } from '../watch/watch-context.ts';
import type { Proposal } from './propose-definitions.ts';

const isIndexReading = isShape({ digest: isText });

/** Whether the index is as at the last observation. */
export function isIndexSeen({ ledger, git, checkout }: WatchContext, thorough: boolean): boolean {
  const seen = findCached(ledger, indexKey(checkout), fileStamp(join(git.gitDir, 'index')));
  if (seen === undefined || !thorough) return seen !== undefined;
  return isIndexReading(seen) && seen.digest === indexDigest(git);
}

function indexDigest(git: WatchContext['git']): string {
  return hash('sha256', readIndex(git));
}

function readIndex({ gitDir }: WatchContext['git']): Buffer {
  try {
    return readFileSync(join(gitDir, 'index'));
  } catch {
    // Safe: without an index nothing is staged.
    return Buffer.alloc(0);
  }
}

function indexKey(checkout: string): string {
  return `index of ${checkout}`;
}

/** Definitions that agents put into the index past the working files. */
export function stagedByAgents(context: WatchContext, quiet: () => boolean, thorough: boolean): Proposal[] {
  const { ledger, git, checkout } = context;
  if (isIndexSeen(context, thorough)) return [];
  const digest = indexDigest(git);
  cacheRead(ledger, indexKey(checkout), fileStamp(join(git.gitDir, 'index')), { digest });
  // Without agents at work, only the stamp is recorded.
  if (quiet()) return [];
  const staged = [...stagedDefinitions(git.gitDir), ...cachedDefinitions(git)];
  const blobs = readBlobs(
    git.gitDir,
    staged.flatMap(({ blob }) => blob ?? []),
  );
  return staged.flatMap(({ path, blob }) => {
    const content = blob === null ? undefined : blobs.get(blob);
    if (blob !== null && !content) return [];
    if (isInWorkingFile(join(checkout, path), content)) return [];
    return [{ path, content, origin: 'index' as const }];
  });
}

interface StagedDefinition {
  path: string;
  /** Null is a removed file, also one that became a link. */
  blob: string | null;
}

/** Definitions in the index that differ from HEAD, without conflicts. */
function stagedDefinitions(gitDir: string): StagedDefinition[] {
  const options = ['diff-index', '--cached', '--raw', '--no-abbrev', '--no-renames', '-z', 'HEAD'];
  const fields = gitSync(gitDir, [...options, '--', ...DEFINITION_FOLDERS])?.split('\0') ?? [];
  const staged: StagedDefinition[] = [];
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [, mode = '', blob] = /^:\d+ (\d+) [0-9a-f]+ ([0-9a-f]+) [^U]/.exec(fields[at] ?? '') ?? [];
    const path = fields[at + 1] ?? '';
    if (blob === undefined || !isDefinitionPath(path)) continue;
    staged.push({ path, blob: mode.startsWith('100') ? blob : null });
  }
  return staged;
}

/** Definitions in trees that the index caches: a forged one is committed instead of the entries. */
function cachedDefinitions(git: WatchContext['git']): StagedDefinition[] {
  const committed = filesOf(git.gitDir, 'HEAD', DEFINITION_FOLDERS);
  const head = readHead(git);
  if (!committed || head === undefined) return [];
  const trees = cachedTrees(readIndex(git), head.length === 64 ? 32 : 20);
  return [...trees].flatMap(([folder, tree]) => {
    const prefix = folder === '' ? '' : `${folder}/`;
    const wanted = DEFINITION_FOLDERS.flatMap((one) =>
      prefix.startsWith(`${one}/`) ? '' : one.startsWith(prefix) ? one.slice(prefix.length) : [],
    );
    const files = wanted.length > 0 ? filesOf(git.gitDir, tree, wanted) : undefined;
    if (!files) return [];
    const found = new Map([...files].map(([path, blob]) => [prefix + path, blob]));
    const paths = new Set([...found.keys(), ...committed.keys()]);
    return [...paths]
      .filter((path) => path.startsWith(prefix) && isDefinitionPath(path))
      .filter((path) => found.get(path) !== committed.get(path))
      .map((path) => ({ path, blob: found.get(path) ?? null }));
  });
}

function isInWorkingFile(file: string, content: Buffer | undefined): boolean {
  try {
    if (!content) return lstatSync(file, { throwIfNoEntry: false }) === undefined;
    return definitionDigest(readFileSync(file)) === definitionDigest(content);
  } catch {
    // Safe: an unreadable file does not have this content.
    return false;
  }
}
