import { existsSync, readFileSync } from 'node:fs';
import { type Fits, isListOf, isNumber, isShape, isTableOf, isText } from '../../domain/json/plain-shape.ts';
import { writeFileAtomic } from '../../platform/files/atomic-file.ts';
import { quote } from '../install/launcher.ts';
import { bwrapArguments } from './bwrap-arguments.ts';
import { bytesOf, shownPath } from './byte-path.ts';
import { type CollectedFacts, collectFacts, type ShellContext, uidOf } from './collect-facts.ts';
import { FileFinder, WALK_MS } from './find-files.ts';
import { type PlannedMounts, planMounts } from './plan-mounts.ts';
import { sandboxProfile } from './sandbox-profile.ts';
import { type ShellFolder, shellFolder } from './shell-folder.ts';
import { writeShellLauncher } from './shell-launcher.ts';
import { areStampsCurrent, StampedReads } from './stamped-reads.ts';

export type { ShellContext } from './collect-facts.ts';

export interface RefreshedProfiles {
  /** A file was written. */
  changed: boolean;
  /** Protected paths that no mount can protect, since they do not exist. */
  unprotected: string[];
  /** The person's own names for git commands that change the work tree. */
  aliases: string[];
}

const VERSION = 1;

/**
 * Writes the lists of mounts that the launcher gives to bwrap, if anything that they depend on has changed. It is called
 * before every command of an agent, so that an unchanged place costs some hundred `lstat` calls and nothing else.
 */
export function refreshProfiles(context: ShellContext, now = Date.now()): RefreshedProfiles {
  const folder = shellFolder(context.dataFolder, context.git);
  const inputs = inputsOf(context);
  const known = readStamps(folder);
  if (known && isCurrent(known, inputs, folder, now))
    return { changed: false, unprotected: known.unprotected, aliases: known.aliases };
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

/** Both lists, and the test for a foreign sandbox. */
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

/** Shell text that succeeds where no protected path can be written: the launcher then needs no sandbox of its own. */
function unwritableTest({ ordinary }: PlannedMounts): Buffer {
  const tests = ordinary
    .filter(({ source, target, writable }) => source === target && !writable)
    .map(({ target }) => `! [ -w ${quote(target)} ]`);
  return bytesOf(`${tests.join(' &&\n')}\n`);
}

/**
 * A git command may write tracked files, and so may give one a second name in a writable folder, through which later commands
 * would change it. Runs outside the sandbox, but only once no process of the git profile is left: nobody else can then
 * put a link in the place of a protected folder.
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

function readStamps({ stamps }: ShellFolder): KnownStamps | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(stamps, 'utf8'));
    return isKnownStamps(value) && (value as KnownStamps).version === VERSION
      ? (value as KnownStamps)
      : undefined;
  } catch {
    // Safe: without it everything is looked at again.
    return undefined;
  }
}

/** Everything that is given rather than read from the disk. */
function inputsOf(context: ShellContext): string {
  const { dataFolder, home, configLocations, globs, allow, git } = context;
  const folders = configLocations.map(({ folder, roots }) => [folder, roots]);
  return JSON.stringify([
    ...[dataFolder, home, folders, globs, allow],
    ...[git.commonDir, uidOf(context), process.execPath],
  ]);
}
