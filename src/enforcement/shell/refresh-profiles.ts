import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { ProjectConfig } from '../../config/project/project-config.ts';
import { type Fits, isListOf, isNumber, isShape, isTableOf, isText } from '../../domain/json/plain-shape.ts';
import { writeFileAtomic } from '../../platform/files/atomic-file.ts';
import { keptText } from '../../platform/files/file-stamp.ts';
import { makeFolder } from '../../platform/files/make-folder.ts';
import { otherCheckouts } from '../../platform/git/git-folder.ts';
import { keysFolder } from '../../platform/signing/machine-key.ts';
import { hooksFolder } from '../install/hook-client.ts';
import { quote } from '../install/hook-launcher.ts';
import type { WatchContext } from '../watch/watch-context.ts';
import { bytesOf, shownPath } from './byte-path.ts';
import { type CollectedFacts, collectFacts, type ShellContext, uidOf } from './collect-shell-facts.ts';
import { type PlannedMounts, planMounts } from './plan-mounts.ts';
import { bwrapArguments, sandboxProfile } from './profile-file.ts';
import { type ShellFolder, type ShellRepository, shellFolder } from './shell-folder.ts';
import { areStampsCurrent, StampedReads } from './stamped-reads.ts';
import { FileFinder, WALK_MS } from './tracked-files.ts';
import { writeShellLauncher } from './write-launcher.ts';

export type { ShellContext } from './collect-shell-facts.ts';

export interface RefreshedProfiles {
  /** A file was written. */
  changed: boolean;
  /** Protected paths without a mount, since they do not exist. */
  unprotected: string[];
  /** The person's own names for git commands that change the work tree. */
  aliases: string[];
}

const VERSION = 1;

/**
 * Writes the profiles that the launcher passes to bwrap, if anything that they depend on changed. Runs before every command
 * of an agent; without changes it costs a few hundred `lstat` calls.
 */
export function refreshProfiles(context: ShellContext, now = Date.now()): RefreshedProfiles {
  const folder = shellFolder(context.dataFolder, context.git);
  const inputs = inputsOf(context);
  const known = readStamps(folder);
  if (known && isCurrent(known, inputs, folder, now))
    return { changed: false, unprotected: known.unprotected, aliases: known.aliases };
  // Only an existing folder can be hidden.
  for (const hidden of [hooksFolder, keysFolder]) makeFolder(hidden(context.dataFolder), 0o700);
  const reads = new StampedReads();
  const finder = new FileFinder(folder, reads, context.globs, now);
  const facts = collectFacts(reads, context, (checkout, further) =>
    finder.find(checkout.root, checkout.gitDir, further),
  );
  const launcher = writeShellLauncher(context.dataFolder, context.git, {
    outside: context.allow.outside ?? [],
    aliases: facts.aliases,
  });
  const written = writeProfiles(folder, planMounts(facts), facts, context);
  finder.keep();
  const answer = { unprotected: facts.missing.map(shownPath), aliases: facts.aliases };
  const stamps: KnownStamps = { version: VERSION, inputs, at: now, stamps: reads.stamps, ...answer };
  writeFileAtomic(folder.stamps, JSON.stringify(stamps), 0o600, { lasting: false });
  return { changed: launcher || written, ...answer };
}

/** Both profiles, the test for another sandbox, and the script that breaks hard links. */
function writeProfiles(
  folder: ShellFolder,
  planned: PlannedMounts,
  facts: CollectedFacts,
  context: ShellContext,
): boolean {
  const options = { root: uidOf(context) === 0, hidesTmux: context.allow.tmux !== true };
  const texts = (['ordinary', 'git'] as const).map((profile) => ({
    path: folder.profiles[profile],
    bytes:
      process.platform === 'darwin'
        ? sandboxProfile(planned[profile], facts)
        : bwrapArguments(planned[profile], profile, folder, options),
  }));
  return [
    ...texts,
    { path: folder.unwritable, bytes: unwritableTest(planned) },
    { path: folder.breakLinks, bytes: linkBreaker(facts) },
  ]
    .map(({ path, bytes }) => writeIfOther(path, bytes))
    .includes(true);
}

function writeIfOther(path: string, bytes: Buffer): boolean {
  if (existsSync(path) && readFileSync(path).equals(bytes)) return false;
  writeFileAtomic(path, bytes, 0o600, { lasting: false });
  return true;
}

/** Shell text that succeeds if no protected path is writable; the launcher then needs no sandbox of its own. */
function unwritableTest({ ordinary }: PlannedMounts): Buffer {
  const tests = ordinary
    .filter(({ source, target, writable }) => source === target && !writable)
    .map(({ target }) => `! [ -w ${quote(target)} ]`);
  return bytesOf(`${tests.join(' &&\n')}\n`);
}

/**
 * A git command can write tracked files, and so can hard-link one into a writable folder, through which later commands would
 * change it. Runs outside the sandbox, but only after the last process of the git profile: then nobody can replace a
 * protected folder by a link.
 */
function linkBreaker({ checkouts }: CollectedFacts): Buffer {
  const paths = checkouts.flatMap((checkout) => checkout.protected.map(({ path }) => quote(path)));
  if (paths.length === 0) return Buffer.from(':\n');
  const copy = 'for f; do cp -p -- "$f" "$f.guardkit-copy" && mv -f -- "$f.guardkit-copy" "$f"; done';
  return bytesOf(
    `find ${paths.join(' ')} -name .git -prune -o -type f -links +1 -exec sh -c ${quote(copy)} sh {} + 2>/dev/null\n`,
  );
}

const isKnownStamps = isShape({
  version: isNumber,
  inputs: isText,
  at: isNumber,
  stamps: isTableOf(isText),
  unprotected: isListOf(isText),
  aliases: isListOf(isText),
});
type KnownStamps = typeof isKnownStamps extends Fits<infer Value> ? Value : never;

function isCurrent(
  { stamps, inputs, at }: KnownStamps,
  wanted: string,
  folder: ShellFolder,
  now: number,
): boolean {
  return (
    inputs === wanted &&
    now >= at &&
    now - at < WALK_MS &&
    Object.values(folder.profiles).every((path) => existsSync(path)) &&
    existsSync(folder.launcher) &&
    areStampsCurrent(stamps)
  );
}

let last: { text: string; stamps: KnownStamps | undefined } | undefined;

function readStamps({ stamps }: ShellFolder): KnownStamps | undefined {
  try {
    const text = keptText(stamps) ?? '';
    if (last?.text === text) return last.stamps;
    const value: unknown = JSON.parse(text);
    const known = isKnownStamps(value) ? (value as KnownStamps) : undefined;
    last = { text, stamps: known?.version === VERSION ? known : undefined };
    return last.stamps;
  } catch {
    // Safe: without stamps everything is read again.
    return undefined;
  }
}

/** The inputs that are not read from disk. */
function inputsOf(context: ShellContext): string {
  const { dataFolder, home, configLocations, globs, allow, git } = context;
  const folders = configLocations.map(({ folder, roots }) => [folder, roots]);
  return JSON.stringify([
    ...[dataFolder, home, folders, globs, allow],
    ...[git.commonDir, uidOf(context), process.execPath],
  ]);
}

/** Updates the wrapper's profiles before an agent's command runs. */
export function refreshShell(context: WatchContext, shell: ProjectConfig['shell']): RefreshedProfiles {
  const { checkout, git, dataFolder, home, configLocations = [], globs } = context;
  const checkouts = otherCheckouts(git);
  return refreshProfiles({
    checkout,
    git,
    dataFolder,
    home,
    configLocations,
    globs,
    otherCheckouts: checkouts,
    allow: {
      outside: shell?.outside ?? [],
      ...Object.fromEntries((shell?.allow ?? []).map((name) => [name, true])),
    },
  });
}

/** While a person has paused GuardKit, commands run without the wrapper. */
export function pauseShell(dataFolder: string, repository: ShellRepository, paused: boolean): void {
  const { path, paused: mark } = shellFolder(dataFolder, repository);
  if (existsSync(mark) === paused || !existsSync(path)) return;
  if (paused) writeFileSync(mark, '');
  else rmSync(mark, { force: true });
}
