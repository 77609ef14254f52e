import { chmodSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { writeFileAtomic } from '../../platform/files/atomic-file.ts';
import { makeFolder } from '../../platform/files/make-folder.ts';
import { findPerl, perlClientText } from './hook-client.ts';

/** Hooks start through a small script in the data folder, which no project and no agent controls. */
export interface LauncherContext {
  /** Absolute path of the Node that runs GuardKit. */
  node: string;
  /** Absolute path of the program that answers hooks. */
  program: string;
  dataFolder: string;
}

/** Variables that make Node load other code. */
export const LEFT_OUT_VARIABLES =
  'NODE_OPTIONS NODE_PATH NODE_REPL_EXTERNAL_MODULE NODE_EXTRA_CA_CERTS NODE_V8_COVERAGE NODE_CHANNEL_FD LD_PRELOAD LD_LIBRARY_PATH LD_AUDIT DYLD_INSERT_LIBRARIES DYLD_LIBRARY_PATH';

const LEFT_OUT: ReadonlySet<string> = new Set(LEFT_OUT_VARIABLES.split(' '));

export function withoutLoaders(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !LEFT_OUT.has(name)));
}

export function launcherPath(dataFolder: string): string {
  return join(dataFolder, 'bin', 'guardkit-hook');
}

/** Starts the program for each event. */
export function coldLauncherPath(dataFolder: string): string {
  return join(dataFolder, 'bin', 'guardkit-hook-cold');
}

/** The files that hooks start through, with their texts. */
function launcherFiles(parts: LauncherContext): { path: string; text: string }[] {
  const path = launcherPath(parts.dataFolder);
  const perl = findPerl();
  if (perl === undefined) return [{ path, text: launcherText(parts) }];
  const cold = coldLauncherPath(parts.dataFolder);
  return [
    { path: cold, text: launcherText(parts) },
    { path, text: perlClientText(perl, parts, cold) },
  ];
}

/**
 * Every failure (Node is missing or too old, the program crashes or is killed) ends with exit code 2, which every agent
 * takes as a refusal. With `--never-refuse`, as for a person's prompt, it prints a systemMessage instead, since people do
 * not see a hook's standard error. With `--deadline-SECONDS`, a program that takes longer is ended. Variables that make Node
 * load other code are unset first.
 */
export function launcherText({ node, program, dataFolder }: LauncherContext): string {
  return `#!/bin/sh
# Written by guardkit init. Answers the hooks of a coding agent; guardkit uninstall removes it.
unset ${LEFT_OUT_VARIABLES}
never=$2
GUARDKIT_HOME=${quote(dataFolder)}
export GUARDKIT_HOME
refuse() {
  help="In your own terminal, run guardkit doctor to find the cause, or guardkit doctor --fix to repair it."
  if [ "$never" = --never-refuse ]; then
    echo "{\\"systemMessage\\":\\"GuardKit hook failed: $1 $help\\"}"
    exit 0
  fi
  echo "GuardKit could not judge this, so it is refused: $1" >&2
  echo "$help" >&2
  exit 2
}
[ -x ${quote(node)} ] || refuse "the Node it was installed with is missing (${shown(node)})."
[ -r ${quote(program)} ] || refuse "its program is missing (${shown(program)})."
# Broken answers and refusals without a reason would let the action run.
answer=$(
  case $never in
    (--deadline-*)
      # Past its own time limit, the agent would let the action run.
      # Through another descriptor, since a shell gives background programs an empty input.
      exec 3<&0
      ${quote(node)} ${quote(program)} "$@" <&3 3<&- &
      child=$!
      (
        sleep "\${never#--deadline-}" &
        trap 'kill $!; exit' TERM
        wait $! && kill -9 $child
      ) >/dev/null 2>&1 </dev/null 3<&- &
      watcher=$!
      wait $child
      code=$?
      kill $watcher 2>/dev/null
      exit $code ;;
    (*)
      ${quote(node)} ${quote(program)} "$@" ;;
  esac
)
code=$?
case $code in
  0)
    case $answer in
      "") exit 0 ;;
      "{"*"}") printf '%s\\n' "$answer"; exit ;;
    esac
    refuse "its program gave a broken answer." ;;
  2)
    if [ "$never" != --never-refuse ]; then
      echo "GuardKit refused this." >&2
      exit 2
    fi ;;
esac
refuse "its program exited with code $code."
`;
}

/** Writes the launcher; returns whether it changed. */
export function writeLauncher(parts: LauncherContext): boolean {
  if (isLauncherCurrent(parts)) return false;
  makeFolder(join(parts.dataFolder, 'bin'), 0o700);
  for (const { path, text } of launcherFiles(parts)) {
    writeFileAtomic(path, text, MODE);
    // The umask may have removed bits.
    chmodSync(path, MODE);
  }
  return true;
}

const MODE = 0o700;

/** Whether the launcher exists, is executable and has the current text. */
export function isLauncherCurrent(parts: LauncherContext): boolean {
  try {
    return launcherFiles(parts).every(
      ({ path, text }) => (statSync(path).mode & 0o777) === MODE && readFileSync(path, 'utf8') === text,
    );
  } catch {
    // Safe: an unreadable launcher is written again.
    return false;
  }
}

/** Quotes one word for a shell. */
export function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** Safe inside double quotes of a shell and of JSON. */
function shown(text: string): string {
  return text.replace(/["$`\\\p{Cc}]/gu, '?');
}

/** A program with its arguments, which Claude Code starts without a shell, so that no prefix wraps it. */
export interface HookProgram {
  command: string;
  args: readonly string[];
}

/** The hook commands, by whether they may block their event. */
export interface HookCommand<Command = string | HookProgram> {
  refusing: Command;
  letting: Command;
  /** For the start of a session, the best moment for a notice to the person. */
  beginning: Command;
}

/**
 * For a person's own settings. If the launcher is missing, the hook fails and refuses (`onFailure`); the launcher itself
 * turns every other failure into exit code 2.
 */
export function ownHookProgram(dataFolder: string, agent: string): HookCommand<HookProgram> {
  const command = launcherPath(dataFolder);
  const letting = { command, args: [agent, '--never-refuse'] };
  return { refusing: { command, args: [agent] }, letting, beginning: letting };
}

/** The form that earlier versions wrote, through a shell: recognized, and upgraded by `init` and `doctor --fix`. */
export function ownHookCommand(dataFolder: string, agent: string): HookCommand<string> {
  const launcher = quote(launcherPath(dataFolder));
  const letting = `${launcher} ${agent} --never-refuse`;
  return { refusing: `${launcher} ${agent} || exit 2`, letting, beginning: letting };
}

const missing = (agent: string) =>
  `GuardKit is NOT installed here: this agent is not guarded. Install it, then run guardkit init --agent ${agent}`;
const BROKEN =
  'GuardKit was installed here and its launcher is gone. Run guardkit doctor --fix in a terminal';

/**
 * For a team's settings: on a machine without GuardKit, nothing can be judged, and the hook prints a clear warning. If a
 * ledger exists, GuardKit was installed, and a missing launcher refuses as in a person's own settings. Never change these
 * texts: committed settings are recognized by the exact command.
 */
export function sharedHookCommand(agent: string): HookCommand<string> {
  return sharedCommand(agent, agent);
}

function sharedCommand(agent: string, refusing: string): HookCommand<string> {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the shell's own
  const home = '${GUARDKIT_HOME:-$HOME/.guardkit}';
  const launcher = `"${home}/bin/guardkit-hook"`;
  const either = (command: string, broken: string, missing: string) =>
    `if [ -x ${launcher} ]; then ${launcher} ${command}; elif [ -e "${home}/ledger.db" ]; then ${broken}; else ${missing}; fi`;
  const say = (text: string) => `echo "${text}" >&2`;
  // People do not see the standard error of a hook that succeeds, but they see this.
  const tell = (text: string) => `echo '${JSON.stringify({ systemMessage: text })}'`;
  const letting = `${agent} --never-refuse`;
  return {
    refusing: either(`${refusing} || exit 2`, `${say(BROKEN)}; exit 2`, say(missing(agent))),
    letting: either(letting, say(BROKEN), say(missing(agent))),
    beginning: either(letting, tell(BROKEN), tell(missing(agent))),
  };
}

/**
 * For an agent that lets the action run if a hook fails or takes too long, and that runs hooks in the person's shell, which
 * may be another one than sh. Never change these texts: the person has to trust them again.
 */
export interface TimedHookCommand extends HookCommand<string> {
  /** For the end of a turn, when the work is verified. */
  stopping: string;
}

/** Seconds. Below the timeouts in the agent's settings. */
const DEADLINE = 50;
const STOP_DEADLINE = 3500;

export function timedHookCommand(dataFolder: string, agent: string): TimedHookCommand {
  const launcher = quote(launcherPath(dataFolder));
  const letting = `${launcher} ${agent} --never-refuse`;
  const within = (seconds: number) => `${launcher} ${agent} --deadline-${seconds} || exit 2`;
  return { refusing: within(DEADLINE), stopping: within(STOP_DEADLINE), letting, beginning: letting };
}

/** For a team's settings: sh replaces the person's shell. */
export function sharedTimedHookCommand(agent: string): TimedHookCommand {
  const { refusing, stopping, letting, beginning } = sharedTimed(agent);
  const inShell = (text: string) => `exec /bin/sh -c ${quote(text)}`;
  return {
    refusing: inShell(refusing),
    stopping: inShell(stopping),
    letting: inShell(letting),
    beginning: inShell(beginning),
  };
}

function sharedTimed(agent: string): TimedHookCommand {
  const within = (seconds: number) => sharedCommand(agent, `${agent} --deadline-${seconds}`);
  return { ...within(DEADLINE), stopping: within(STOP_DEADLINE).refusing };
}

/** All texts that a shell runs for a hook. */
export function hookShellTexts(dataFolder: string, agent: string): string[] {
  return [
    ownHookCommand(dataFolder, agent),
    sharedHookCommand(agent),
    timedHookCommand(dataFolder, agent),
    sharedTimed(agent),
  ].flatMap((one) => Object.values(one));
}
