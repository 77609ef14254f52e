import { launcherPath, quote } from './launcher.ts';

/** A program with its words, which Claude Code starts itself: no shell is involved, so that no prefix wraps it. */
export interface HookProgram {
  command: string;
  args: readonly string[];
}

/** The command for an event: one that can be kept from happening, or one that must not be, such as a person's prompt. */
export interface HookCommand<Command = string | HookProgram> {
  refusing: Command;
  letting: Command;
  /** When a session begins: the one moment to tell the person something that holds for all of it. */
  beginning: Command;
}

/**
 * For one person's settings. A launcher that is gone is a hook that fails, and refuses (`onFailure`); the launcher itself
 * ends every other failure with code 2.
 */
export function ownHookProgram(dataFolder: string, agent: string): HookCommand<HookProgram> {
  const command = launcherPath(dataFolder);
  const letting = { command, args: [agent, '--never-refuse'] };
  return { refusing: { command, args: [agent] }, letting, beginning: letting };
}

/** The same as earlier versions wrote it, through a shell: recognised, and upgraded by `init` and `doctor --fix`. */
export function ownHookCommand(dataFolder: string, agent: string): HookCommand<string> {
  const launcher = quote(launcherPath(dataFolder));
  const letting = `${launcher} ${agent} --never-refuse`;
  return { refusing: `${launcher} ${agent} || exit 2`, letting, beginning: letting };
}

const MISSING =
  'GuardKit is NOT installed here: this agent is not guarded. Install it, then run guardkit init --agent claude';
const BROKEN =
  'GuardKit was installed here and its launcher is gone. Run guardkit doctor --fix in a terminal';

/**
 * For a team's settings: on a machine without GuardKit nothing can be judged, which is said loudly. Where its data folder
 * is, it was there, and a launcher that is gone refuses as it does in a person's own settings.
 */
export function sharedHookCommand(agent: string): HookCommand<string> {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the shell's own
  const home = '${GUARDKIT_HOME:-$HOME/.guardkit}';
  const launcher = `"${home}/bin/guardkit-hook"`;
  const either = (command: string, broken: string, missing: string) =>
    `if [ -x ${launcher} ]; then ${launcher} ${command}; elif [ -e "${home}/ledger.db" ]; then ${broken}; else ${missing}; fi`;
  const say = (text: string) => `echo "${text}" >&2`;
  // A person does not see what a hook that lets something pass writes to its errors, but does see this.
  const tell = (text: string) => `echo '${JSON.stringify({ systemMessage: text })}'`;
  const letting = `${agent} --never-refuse`;
  return {
    refusing: either(`${agent} || exit 2`, `${say(BROKEN)}; exit 2`, say(MISSING)),
    letting: either(letting, say(BROKEN), say(MISSING)),
    beginning: either(letting, tell(BROKEN), tell(MISSING)),
  };
}
