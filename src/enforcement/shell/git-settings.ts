import { readGitConfig } from '../../platform/git/git-config.ts';
import { type BytePath, toBytePath } from './byte-path.ts';
import { gitCommandAliases } from './git-command.ts';
import type { StampedReads } from './stamped-reads.ts';

/** Files that include one another. */
const MAX_DEPTH = 4;

export interface GitSettings {
  /** `core.hooksPath`, as written; relative ones are relative to a work tree. */
  hooksPaths: BytePath[];
  /** Files that the person's configuration includes. */
  included: BytePath[];
  aliases: string[];
}

/** The parts of git's configuration that name other files or other commands. */
export function readGitSettings(
  reads: StampedReads,
  home: BytePath,
  files: readonly BytePath[],
): GitSettings {
  const found: GitSettings = { hooksPaths: [], included: [], aliases: [] };
  const visit = (file: BytePath, depth: number) => {
    const settings = readGitConfig(reads.text(file) ?? '') ?? [];
    found.aliases.push(...gitCommandAliases(settings));
    for (const { key, value } of settings) {
      const path = expand(toBytePath(value), home);
      if (key === 'core.hookspath') found.hooksPaths.push(path);
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

function expand(path: BytePath, home: BytePath): BytePath {
  return path.startsWith('~/') ? `${home}${path.slice(1)}` : path;
}
