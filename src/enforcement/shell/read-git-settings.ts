import { isAbsolute, join } from 'node:path';
import { keptText } from '../../platform/files/file-stamp.ts';
import { readGitConfig } from '../../platform/git/git-config.ts';
import type { WatchContext } from '../watch/watch-context.ts';
import { type BytePath, bytesOf, shownPath, toBytePath } from './byte-path.ts';
import { gitCommandAliases } from './git-command.ts';
import { personGitConfigs } from './person-files.ts';
import type { StampedReads } from './stamped-reads.ts';

/** Limit for nested includes. */
const MAX_DEPTH = 4;

export interface GitSettings {
  /** `core.hooksPath`, as written; relative ones are relative to a work tree. */
  hooksPaths: BytePath[];
  /** Files that the person's configuration includes. */
  included: BytePath[];
  aliases: string[];
}

/** The settings of git's configuration that refer to other files or commands. */
export function readGitSettings(
  reads: Pick<StampedReads, 'text'>,
  home: BytePath,
  files: readonly BytePath[],
): GitSettings {
  const found: GitSettings = { hooksPaths: [], included: [], aliases: [] };
  const visit = (file: BytePath, depth: number) => {
    const settings = readGitConfig(reads.text(file) ?? '') ?? [];
    found.aliases.push(...gitCommandAliases(settings));
    for (const { key, value } of settings) {
      const path = expand(toBytePath(value), home);
      if (key === 'core.hookspath') found.hooksPaths.push(hooksFolder(path));
      if (key !== 'include.path' && !(key.startsWith('includeif.') && key.endsWith('.path'))) continue;
      const target = path.startsWith('/') ? path : `${file.slice(0, file.lastIndexOf('/'))}/${path}`;
      found.included.push(target);
      if (depth < MAX_DEPTH) visit(target, depth + 1);
    }
  };
  for (const file of files) visit(file, 0);
  return {
    hooksPaths: [...new Set(found.hooksPaths)],
    included: [...new Set(found.included)],
    aliases: [...new Set(found.aliases)].sort(),
  };
}

/** Husky gives git the folder `_`, whose hooks run those in the folder around it. */
function hooksFolder(path: BytePath): BytePath {
  const end = path.endsWith('/_/') ? -3 : path.endsWith('/_') ? -2 : undefined;
  const around = path.slice(0, end);
  // Not the repository itself.
  return /[^/.]/.test(around) ? (around as BytePath) : path;
}

function expand(path: BytePath, home: BytePath): BytePath {
  return path.startsWith('~/') ? `${home}${path.slice(1)}` : path;
}

interface EffectiveLocations {
  /** Absolute paths of hook folders. */
  hooksPaths: string[];
  /** Absolute paths of files that the person's git configuration includes. */
  gitIncludes: string[];
}

/** Effective files that git's configuration adds. */
export function effectiveLocations({
  git,
  checkout,
  home,
  configLocations = [],
}: WatchContext): EffectiveLocations {
  const at = toBytePath(home);
  const files = [toBytePath(join(git.commonDir, 'config')), ...personGitConfigs(at, configLocations)];
  const { hooksPaths, included } = readGitSettings({ text: textOf }, at, files);
  return {
    hooksPaths: hooksPaths.map(shownPath).map((path) => (isAbsolute(path) ? path : join(checkout, path))),
    gitIncludes: included.map(shownPath),
  };
}

function textOf(path: BytePath): string | undefined {
  try {
    return keptText(bytesOf(path));
  } catch {
    // Safe: git cannot read it either.
    return undefined;
  }
}
