import { launcherPath, quote } from './launcher.ts';

/** What is run for an event: one that can be kept from happening, or one that must not be, such as a person's prompt. */
export interface HookCommand {
  refusing: string;
  letting: string;
  /** When a session begins: the one moment to tell the person something that holds for all of it. */
  beginning: string;
}

/** For one person's settings: the launcher by its absolute path. A launcher that is gone is a hook that fails, and refuses. */
export function ownHookCommand(dataFolder: string, agent: string): HookCommand {
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
export function sharedHookCommand(agent: string): HookCommand {
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
