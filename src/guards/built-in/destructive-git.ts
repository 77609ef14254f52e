import { isGitOrder } from '../../domain/protection/dangerous-git-setting.ts';
import { type GitCall, hasFlag } from '../git-call.ts';
import type { Objection } from '../guard.ts';

/** Branches that others work from. */
const SHARED =
  /^(?:refs\/heads\/)?(?:main|master|trunk|develop|development|production|staging|release(?:[/-].*)?)$/;
const OURS = /(?:^|\/)refs\/guardkit(?:\/|$)|^guardkit\//;
const EVERYTHING: ReadonlySet<string> = new Set(['.', './', ':/', '*', ':', ':(top)']);

/** Judges what a git command would destroy or expose. */
export function judgeGit({ subcommand, args }: GitCall): Objection | undefined {
  const words = args.filter((word) => !word.startsWith('-'));
  switch (subcommand) {
    case 'push':
      return judgePush(args, words);
    case 'reset':
      return hasOption(args, '--hard') || hasOption(args, '--merge')
        ? ask('discards uncommitted changes', COMMIT)
        : undefined;
    case 'clean':
      return judgeClean(args);
    case 'checkout':
    case 'restore':
    case 'switch':
      return judgeRestore(subcommand, args, words);
    case 'branch':
      return judgeBranch(args, words);
    case 'stash':
      return words[0] === 'drop' || words[0] === 'clear'
        ? ask('discards stashed work', 'Keep the stash, or apply it with `git stash pop`.')
        : undefined;
    case 'filter-branch':
    case 'filter-repo':
      return ask('rewrites history', 'Commit a change on top instead.');
    case 'update-ref':
    case 'symbolic-ref':
      if (words.some((word) => OURS.test(word))) return denyOurs();
      return hasFlag(args, 'd', '--delete') ? ask('removes a ref', 'Keep it.') : undefined;
    case 'reflog':
      return words[0] === 'expire' || words[0] === 'delete'
        ? ask('removes reflog entries, the way back to lost commits', 'Keep the reflog.')
        : undefined;
    case 'gc':
      return args.some((word) => /^--prune=(?:now|all|0)/.test(word)) ? ask(...PRUNING) : undefined;
    case 'prune':
      return hasFlag(args, 'n', '--dry-run') ? undefined : ask(...PRUNING);
    case 'config':
      return judgeConfig(args, words);
    case 'rebase':
      return judgeRebase(args);
    default:
      return undefined;
  }
}

/** Covers unprotected files; the guard `protected-set` covers the others. */
function judgeClean(args: readonly string[]): Objection | undefined {
  if (!hasFlag(args, 'f', '--force') || hasFlag(args, 'n', '--dry-run')) return undefined;
  const takesNext = (word = '') => word === '--exclude' || /^-[A-Za-z]*e$/.test(word);
  const paths = args.filter((word, at) => !word.startsWith('-') && !takesNext(args[at - 1]));
  const named = paths.length > 0 && paths.every((word) => !/^[:*?[]/.test(word) && !EVERYTHING.has(word));
  return named ? undefined : ask('removes untracked files', 'Remove the files you created, by name.');
}

const COMMIT = 'Commit first, or undo single files by name with `git restore PATH`.';
const PRUNING = ['removes unreachable commits for good', 'Leave it to git’s automatic clean-up.'] as const;

function judgePush(args: readonly string[], words: readonly string[]): Objection | undefined {
  const [, ...specs] = words;
  const targets = specs.map((spec) => spec.slice(spec.indexOf(':') + 1).replace(/^\+/, ''));
  const deletes = hasFlag(args, 'd', '--delete') || specs.some((spec) => spec.startsWith(':'));
  if (deletes && targets.some((target) => OURS.test(target))) return denyOurs();
  const lease = args.some((word) => word.startsWith('--force-with-lease') || word === '--force-if-includes');
  const forced = hasFlag(args, 'f', '--force') || specs.some((spec) => spec.startsWith('+'));
  const hint = 'Push without force: run `git pull --rebase` first, or use your own branch.';
  if (hasOption(args, '--mirror'))
    return ask('mirrors this clone, and removes everything else from the remote', hint);
  if ((forced || lease || deletes) && targets.some((target) => SHARED.test(target)))
    return ask('replaces or removes a shared branch', hint);
  return forced && !lease && specs.length === 0
    ? ask('overwrites commits that others may have pushed', hint)
    : undefined;
}

function judgeRestore(
  subcommand: string,
  args: readonly string[],
  words: readonly string[],
): Objection | undefined {
  const staged =
    subcommand === 'restore' && hasFlag(args, 'S', '--staged') && !hasFlag(args, 'W', '--worktree');
  if (staged) return undefined;
  if (subcommand !== 'restore' && hasFlag(args, 'f', '--force', '--discard-changes'))
    return ask('discards uncommitted changes', COMMIT);
  if (subcommand === 'switch' || !words.some((word) => EVERYTHING.has(word))) return undefined;
  return ask('discards all uncommitted changes', COMMIT);
}

function judgeBranch(args: readonly string[], words: readonly string[]): Objection | undefined {
  const forced = hasFlag(args, 'D') || (hasFlag(args, 'd', '--delete') && hasFlag(args, 'f', '--force'));
  if (!forced) return undefined;
  if (words.some((word) => OURS.test(word))) return denyOurs();
  return ask(
    'removes a branch whose commits may exist nowhere else',
    'Use `git branch -d`, which keeps unmerged branches.',
  );
}

/** If a rebase with commands stops half-way, the person runs the remaining commands by continuing it. */
function judgeRebase(args: readonly string[]): Objection | undefined {
  if (args.includes('--edit-todo')) return leavesCommands('ask');
  const commands = args.flatMap((word, at) => {
    const attached = /^(?:-x|--exec=)(.+)$/s.exec(word)?.[1];
    return attached ?? (word === '-x' || word === '--exec' ? [args[at + 1] ?? ''] : []);
  });
  return commands.every((text) => CHECK.test(text.trim())) ? undefined : leavesCommands('warn');
}

const CHECK =
  /^(?:(?:true|make|npm|npx|pnpm|yarn|bun|vitest|jest|mocha|pytest|tox|python3? -m (?:pytest|unittest)|cargo|go|mvn|gradle|\.\/gradlew|dotnet|bundle|rake|rspec|tsc|eslint|git (?:commit --amend|log|show|diff|status))\b[^;&|`$<>]*(?:&&|$)\s{0,5}){1,10}$/;

export function leavesCommands(decision: 'ask' | 'warn'): Objection {
  return {
    decision,
    reason: 'If this rebase stops half-way, the person who continues it runs its commands.',
    guidance: 'Rebase without commands and run them yourself afterwards. Do not leave a rebase unfinished.',
  };
}

/** Objects to an editor that adds commands or stops to a rebase. */
export function judgeSequenceEditor(value: string): Objection | undefined {
  return /\b(?:exec|break)\b|(?:^|[\s/'"\\n])x\s/.test(value) ? leavesCommands('ask') : undefined;
}

const READING_CONFIG = /^(?:--get.*|--list|-l|get|list|--show-origin|--show-scope)$/;

function judgeConfig(args: readonly string[], words: readonly string[]): Objection | undefined {
  const [, ...others] = words[0] === 'set' || words[0] === 'unset' ? words.slice(1) : words;
  const removes =
    words[0] === 'unset' || args.some((word) => word.startsWith('--unset') || word === '--remove-section');
  const reads = args.some((word) => READING_CONFIG.test(word)) || (others.length === 0 && !removes);
  if (reads) return hasFlag(args, 'e', '--edit') ? runsPrograms('an editor') : undefined;
  const key = words.find((word, at) => {
    const value = (words[at + 1] ?? '').replace(/^['"]/, '');
    return word.includes('.') && isGitOrder(word.toLowerCase(), value);
  });
  if (key === undefined) return undefined;
  return runsPrograms(key);
}

function runsPrograms(key: string): Objection {
  return {
    decision: 'deny',
    reason: `${key} makes git run a program or load other settings.`,
    guidance: 'Run the program directly when you need it, or propose the setting in your answer.',
  };
}

function denyOurs(): Objection {
  return {
    decision: 'deny',
    reason: 'GuardKit keeps its turns and builds in these refs.',
    guidance: 'Leave them in place; GuardKit removes those it no longer needs.',
  };
}

function ask(what: string, guidance: string): Objection {
  return { decision: 'ask', reason: `This command ${what}.`, guidance };
}

function hasOption(args: readonly string[], option: string): boolean {
  return args.includes(option);
}
