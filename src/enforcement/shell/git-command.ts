/** Programs that run git's commands. */
const PROGRAMS = ['git', 'gh', 'hub', 'gt'];

/** Git commands that write to the work tree. */
const COMMANDS = [
  ...['checkout', 'switch', 'merge', 'pull', 'rebase', 'stash', 'reset', 'restore', 'cherry-pick', 'revert'],
  ...['am', 'apply', 'clean', 'worktree', 'bisect', 'read-tree', 'subtree', 'filter-branch', 'flow', 'sync'],
];

/** A word boundary: `git` does not match in `github`, nor `am` in `name`. */
const EDGE = '[!A-Za-z0-9_]';

/**
 * Whether a command line contains a git command that changes the work tree. A false match only gives the command the git
 * profile; a missed one leaves git with a dirty tree. `aliases` are the person's own names for such commands.
 */
export function isGitCommand(text: string, aliases: readonly string[] = []): boolean {
  return hasWord(text, PROGRAMS) && hasWord(text, [...COMMANDS, ...aliases]);
}

function hasWord(text: string, words: readonly string[]): boolean {
  const edge = EDGE.replace('!', '^');
  const alternatives = words.map((word) => word.replace(/[^A-Za-z0-9]/g, '\\$&')).join('|');
  return new RegExp(`(?:^|${edge})(?:${alternatives})(?:$|${edge})`).test(text);
}

/** The same test as shell patterns for `case " $text " in`: one for the program, one for the command. */
export function gitCommandPatterns(aliases: readonly string[] = []): [program: string, command: string] {
  const patterns = (words: readonly string[]) =>
    words.map((word) => `*${EDGE}${word.replace(/[^A-Za-z0-9]/g, '\\$&')}${EDGE}*`).join('|');
  return [patterns(PROGRAMS), patterns([...COMMANDS, ...aliases])];
}

/** A name that is safe in a pattern. */
const ALIAS = /^[A-Za-z0-9-]{1,40}$/;

/** The aliases in a git configuration for such commands. */
export function gitCommandAliases(settings: readonly { key: string; value: string }[]): string[] {
  const names = settings.flatMap(({ key, value }) => {
    const name = key.startsWith('alias.') ? key.slice('alias.'.length) : '';
    return ALIAS.test(name) && hasWord(value, COMMANDS) ? [name] : [];
  });
  return [...new Set(names)].sort();
}
