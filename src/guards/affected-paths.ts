import { resolve } from 'node:path';
import { isInside } from '../platform/files/path-inside.ts';
import type { PathReach } from './action.ts';
import type { CommandAnalysis, PathUse } from './command/command-analysis.ts';
import { type FileSearch, isFound, searchExtent } from './command/file-search.ts';
import { namedProtection } from './named-protection.ts';
import { type PathContext, protectedFiles } from './path-context.ts';
import { type RealPath, realPath } from './real-path.ts';

/** More paths than commands usually name; the rest is checked after the command. */
const MAX_USES = 400;

const STRICTNESS = ['mention', 'read', 'write', 'delete'];

/** Resolves the paths of an analysed command on this machine. */
export function commandReaches(
  { uses, invocations, literals }: Pick<CommandAnalysis, 'uses' | 'invocations' | 'literals'>,
  context: PathContext,
): PathReach[] {
  const reaches = new Map<string, PathReach>();
  const add = (given: string, use: PathUse, from: PathContext) => {
    const key = `${use.mode}\0${use.by}\0${given}`;
    if (!reaches.has(key)) reaches.set(key, reachOf(given, use, from));
  };
  for (const use of strictestUses(uses)) add(use.path, use, context);
  const detours = [
    ...invocations.flatMap(({ argv, cwd }) => argv.map((word) => ({ word, cwd }))),
    ...literals.map((word) => ({ word, cwd: context.cwd })),
  ].filter(({ word }) => DETOUR.test(word));
  // The analysis resolves `..` textually. Behind a symbolic link it leads elsewhere, so these paths are resolved on disk.
  for (const { word, cwd } of detours.slice(0, MAX_USES)) {
    const plain = resolve(cwd, word);
    for (const use of uses.filter(({ path }) => path === plain)) add(word, use, { ...context, cwd });
  }
  return [...reaches.values()];
}

const DETOUR = /[^/.]\/+\.\.(?:\/|$)/;

function strictestUses(uses: readonly PathUse[]): readonly PathUse[] {
  if (uses.length <= MAX_USES) return uses;
  return [...uses].sort((a, b) => STRICTNESS.indexOf(b.mode) - STRICTNESS.indexOf(a.mode)).slice(0, MAX_USES);
}

function reachOf(given: string, use: PathUse, context: PathContext): PathReach {
  const { mode, by, glob, guess, search, shallow, empties } = use;
  const file = reachedFile(given, use, context);
  if (search === undefined || (mode !== 'delete' && mode !== 'write'))
    return { file, mode, by, glob, guess, shallow, empties };
  const { real } = realPath(search.folder, context);
  const found = foundProtection({ ...search, folder: real }, mode === 'delete' && !shallow, context);
  return {
    file: found === undefined ? { ...file, protectedAs: undefined, protectedBelow: undefined } : found,
    mode,
    by,
    glob,
    // The search is known, so its results are not a guess.
    guess: undefined,
    search: { folder: real, extent: searchExtent(search) },
    shallow,
    empties,
  };
}

/** For a partly known path, only a protected file that it names counts, not files below it. */
function reachedFile(given: string, { guess, glob }: PathUse, context: PathContext): RealPath {
  const file = realPath(given, context, { glob });
  if (guess !== 'piece') return file;
  const protectedAs = file.protectedAs ?? namedProtection(given, context.dataFolder);
  return { ...file, protectedAs, protectedBelow: undefined };
}

/** The first protected file that a search finds, or the first folder that contains one. */
function foundProtection(
  search: FileSearch,
  withFolders: boolean,
  context: PathContext,
): RealPath | undefined {
  const { folder, kind } = search;
  let list: RealPath | undefined;
  for (const { path, protection } of protectedFiles(context)) {
    if (!isInside(path, folder) || path === folder) continue;
    if (kind !== 'd' && kind !== 'l' && isFound(path, search)) {
      const found = { ...realPath(path, context), protectedAs: protection, protectedBelow: undefined };
      if (protection !== 'feature-list') return found;
      list = found;
    }
    if (!withFolders || kind === 'f' || kind === 'l') continue;
    for (let end = path.lastIndexOf('/'); end > folder.length; end = path.lastIndexOf('/', end - 1))
      if (isFound(path.slice(0, end), search))
        return {
          ...realPath(path.slice(0, end), context),
          protectedAs: undefined,
          protectedBelow: protection,
        };
  }
  return list;
}
