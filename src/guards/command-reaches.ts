import { resolve } from 'node:path';
import { fitsGlob } from '../domain/fits-glob.ts';
import type { PathReach } from './action.ts';
import type { CommandAnalysis, PathUse } from './command/command-analysis.ts';
import { namedProtection } from './named-protection.ts';
import { look, type PathPlace, protectedSpots } from './path-place.ts';
import { type Protection, type RealPath, realPath } from './real-path.ts';

/** More paths than a person or an agent writes by hand; what is beyond is looked at afterwards. */
const MAX_USES = 400;

const STRICTNESS = ['mention', 'read', 'write', 'delete'];

/** What the paths of an analysed command are on this machine, now. */
export function commandReaches(
  { uses, invocations, literals }: Pick<CommandAnalysis, 'uses' | 'invocations' | 'literals'>,
  place: PathPlace,
): PathReach[] {
  const reaches = new Map<string, PathReach>();
  const add = (given: string, use: PathUse, from: PathPlace) => {
    const key = `${use.mode}\0${use.by}\0${given}`;
    if (!reaches.has(key))
      reaches.set(key, { file: reachedFile(given, use, from), mode: use.mode, by: use.by, glob: use.glob });
  };
  for (const use of mostTelling(uses)) add(use.path, use, place);
  const detours = [
    ...invocations.flatMap(({ argv, cwd }) => argv.map((word) => ({ word, cwd }))),
    ...literals.map((word) => ({ word, cwd: place.cwd })),
  ].filter(({ word }) => DETOUR.test(word));
  // The analysis takes `..` off a path by its words. Behind a link it leads elsewhere, which only the disk can tell.
  for (const { word, cwd } of detours.slice(0, MAX_USES)) {
    const plain = resolve(cwd, word);
    for (const use of uses.filter(({ path }) => path === plain)) add(word, use, { ...place, cwd });
  }
  return [...reaches.values()];
}

const DETOUR = /[^/.]\/+\.\.(?:\/|$)/;

function mostTelling(uses: readonly PathUse[]): readonly PathUse[] {
  if (uses.length <= MAX_USES) return uses;
  return [...uses].sort((a, b) => STRICTNESS.indexOf(b.mode) - STRICTNESS.indexOf(a.mode)).slice(0, MAX_USES);
}

/** Of a path that is known in part, the part speaks. */
function reachedFile(given: string, { exact, glob, mode, by }: PathUse, place: PathPlace): RealPath {
  const file = realPath(given, place, { glob });
  if (exact || file.protectedAs !== undefined) return file;
  const named = namedProtection(given, place.dataFolder);
  if (named !== undefined || mode !== 'delete' || by !== 'find') return { ...file, protectedAs: named };
  return { ...file, protectedAs: foundAtAnyDepth(given, place) };
}

/** `find` goes down as far as there are folders, so its pattern stands for more than a shell's. */
function foundAtAnyDepth(pattern: string, place: PathPlace): Protection | undefined {
  const deep = pattern.slice(0, MAX_PATTERN).replace(/\*+/g, '**');
  return protectedSpots(place).find(({ path }) => fitsGlob(path, deep) && look(path) !== undefined)
    ?.protection;
}

const MAX_PATTERN = 500;
