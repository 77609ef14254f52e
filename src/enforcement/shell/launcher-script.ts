import { quote } from '../install/hook-launcher.ts';
import { gitCommandPatterns } from './git-command.ts';
import type { ShellFolder } from './shell-folder.ts';

export interface LauncherFacts {
  folder: ShellFolder;
  platform: NodeJS.Platform;
  /** Undefined if bubblewrap is not installed; then every command is refused. */
  bwrap: string | undefined;
  bash: string | undefined;
  zsh: string | undefined;
  chain: string | undefined;
  /** GuardKit's own hook commands that run through a shell, and so through the prefix. */
  hooks: readonly string[];
  outside: readonly string[];
  aliases: readonly string[];
}

const OUTSIDE_WORD = /^[A-Za-z0-9][\w.+-]*$/;

/**
 * A script that runs one command, given as one argument, in the sandbox. For an ordinary command it starts no extra process.
 * For a command with a git operation it waits, and writes marks for begin and end outside the sandbox. Every failure refuses
 * the command (126).
 */
export function launcherText(facts: LauncherFacts): string {
  const { folder, platform } = facts;
  const [program, command] = gitCommandPatterns(facts.aliases);
  return `#!/bin/sh
# Written by guardkit init. Runs the commands of a coding agent in a sandbox; guardkit uninstall removes it.
here=${quote(folder.path)}
[ "$1" = -- ] && shift
fail() {
  echo "guardkit: $1, so the command was not run. Run guardkit doctor in another terminal." >&2
  exit 126
}
[ $# -eq 1 ] || fail "the sandbox launcher expects one argument and got $#"
original=$1
# GuardKit's hooks that run through a shell do nothing here: those in settings.local.json answer.
case $1 in
  ${facts.hooks.map(quote).join('|')}) exit 0 ;;
esac
shell=${quote(facts.bash ?? '/bin/sh')}
case $1 in
  */shell-snapshots/snapshot-zsh-*) shell=${quote(facts.zsh ?? facts.bash ?? '/bin/sh')} ;;
esac
[ -e "$here/paused" ] && exec "$shell" -c "$1"
${outsideText(facts.outside)}if ! [ -w "$here" ]; then
  # Already inside a sandbox: GuardKit's own, or another one that makes the same paths read-only.
  grep -qs ${quote(`/shell/${keyOf(folder)}/profile/`)} /proc/self/mountinfo && exec "$shell" -c "$1"
  [ -r ${quote(folder.unwritable)} ] && . ${quote(folder.unwritable)} && exec "$shell" -c "$1"
${platform === 'darwin' ? '' : `  ${quote(facts.bwrap ?? '')} --dev-bind / / -- true 2>/dev/null || fail "another sandbox is active, in which GuardKit's cannot start and protected files are writable"\n`}fi
profile=ordinary
case " $1 " in
  ${program})
    case " $1 " in
      ${command}) [ -w "$here" ] && profile=git ;;
    esac ;;
esac
[ -s "$here/$profile.args" ] || fail "the list of protected paths is missing ($here/$profile.args)"
${platform === 'darwin' ? darwinStart() : linuxStart(facts)}
${inner(facts)}
${startText(facts)}
`;
}

/** Runs `bash -c COMMAND` in the sandbox. A person's own terminal uses other arguments and is not wrapped. */
export function bashText({ launcher }: ShellFolder, bash: string): string {
  return `#!/bin/sh
# Written by guardkit init. Runs the commands of a coding agent in a sandbox; guardkit uninstall removes it.
[ $# -eq 2 ] && [ "$1" = -c ] && exec ${quote(launcher)} "$2"
exec ${quote(bash)} "$@"
`;
}

/**
 * The file that BASH_ENV names. Gemini CLI starts commands with `bash -c` and marks them; its hooks have no mark. If the
 * launcher is missing, bash ends here without running the command.
 */
export function bashEnvText({ launcher }: ShellFolder): string {
  return `# Written by guardkit init. Runs the commands of a coding agent in a sandbox; guardkit uninstall removes it.
if [ -n "$GEMINI_CLI" ] && [ -n "$BASH_EXECUTION_STRING" ]; then
  unset BASH_ENV
  exec ${quote(launcher)} -- "$BASH_EXECUTION_STRING"
fi
`;
}

function linuxStart({ bwrap = '' }: LauncherFacts): string {
  return `[ -x ${quote(bwrap)} ] || fail "bubblewrap is missing"`;
}

function darwinStart(): string {
  return '[ -x /usr/bin/sandbox-exec ] || fail "sandbox-exec is missing"';
}

/** The command line inside the sandbox: the shell with the command, through the chained prefix if there is one. */
function inner({ chain }: LauncherFacts): string {
  if (chain === undefined) return 'set -- "$shell" -c "$1"';
  return `set -- "$shell" -c ${quote(`${chainWords(chain)} "$1"`)} "$shell" "$1"`;
}

/** Splits a prefix like Claude Code does. */
export function chainWords(prefix: string): string {
  const at = prefix.lastIndexOf(' -');
  return at > 0 ? `${quote(prefix.slice(0, at))} ${prefix.slice(at + 1)}` : quote(prefix);
}

function startText({ folder, platform, bwrap = '', bash }: LauncherFacts): string {
  const sandbox = (options = '') =>
    platform === 'darwin'
      ? '/usr/bin/sandbox-exec -f "$list" "$@"'
      : `${quote(bwrap)} --args 9${options} -- "$@" 9<"$list"`;
  const report = platform === 'darwin' ? '' : ' 8>"$mark.code"';
  const again = bash === undefined ? '' : rerunText(bash, folder.launcher);
  return `list=$here/$profile.args
[ $profile = ordinary ] && exec ${sandbox()}
${again}id=0
[ -r /proc/sys/kernel/random/uuid ] && read -r id </proc/sys/kernel/random/uuid
mark=$here/git-commands/$$-$id
stat=
[ -r /proc/self/stat ] && read -r stat </proc/self/stat
echo "$stat" >"$mark.begin" || fail "$mark.begin cannot be written"
# The list may change while this command runs; GuardKit judges the command by this copy.
cp -- "$list" "$mark.args" || fail "$mark.args cannot be written"
list=$mark.args
(trap - INT QUIT; exec ${sandbox(' --json-status-fd 8')}${report}) <&0 &
child=$!
# bwrap does not forward signals; its only child is the command's shell.
pass() {
  inner=
  [ -r "/proc/$child/task/$child/children" ] && read -r inner </proc/$child/task/$child/children
  kill -s "$1" \${inner:-$child} 2>/dev/null
}
trap 'pass TERM' TERM
trap 'pass HUP' HUP
trap : INT QUIT
while :; do
  wait $child
  code=$?
  kill -0 $child 2>/dev/null || break
done
# A signal that arrives while the command ends replaces the result of wait, so bwrap's own report counts.
if [ -r "$mark.code" ]; then
  while read -r line; do
    line=\${line##*'"exit-code": '}
    case $line in [0-9]*) code=\${line%%[!0-9]*} ;; esac
  done <"$mark.code"
  rm -f -- "$mark.code"
fi
# If a process of either profile is still running, GuardKit decides later when the command ended.
if ! grep -qs ${quote(`/shell/${keyOf(folder)}/profile/`)} /proc/[0-9]*/mountinfo; then
  [ -r ${quote(folder.breakLinks)} ] && . ${quote(folder.breakLinks)}
  : >"$mark.end"
fi
exit $code`;
}

/** Other shells make a background command ignore Ctrl-C permanently. */
function rerunText(bash: string, launcher: string): string {
  return `[ "$BASH_VERSION" ] || exec ${quote(bash)} ${quote(launcher)} "$original"
`;
}

function keyOf({ path }: ShellFolder): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/**
 * Matches only one simple command: with a second command, a substitution or a redirection, the first word proves nothing
 * about the rest.
 */
function outsideText(words: readonly string[]): string {
  const safe = words.filter((word) => OUTSIDE_WORD.test(word));
  if (safe.length === 0) return '';
  return `own=\${1#*"&& eval '"}
own=\${own%%"'"*}
case $1 in
  *"&& eval '$own' < /dev/null && pwd -P >| "*)
    case $own in
      *[!A-Za-z0-9\\ _./:=,@%+-]*) ;;
      ${safe.map((word) => `${quote(`${word} `)}*`).join('|')}) exec "$shell" -c "$1" ;;
    esac ;;
esac
`;
}
