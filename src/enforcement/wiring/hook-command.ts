import { launcherPath, quote } from './launcher.ts';

/** What is run for an event: one that can be kept from happening, or one that must not be, such as a person's prompt. */
export interface HookCommand {
  refusing: string;
  letting: string;
}

/** For one person's settings: the launcher by its absolute path. A launcher that is gone is a hook that fails, and refuses. */
export function ownHookCommand(dataFolder: string, agent: string): HookCommand {
  const launcher = quote(launcherPath(dataFolder));
  return { refusing: `${launcher} ${agent} || exit 2`, letting: `${launcher} ${agent} --never-refuse` };
}

/** For a team's settings: on a machine without GuardKit nothing can be judged, which is said loudly. */
export function sharedHookCommand(agent: string): HookCommand {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the shell's own
  const launcher = '"${GUARDKIT_HOME:-$HOME/.guardkit}/bin/guardkit-hook"';
  const missing =
    'echo "GuardKit is NOT installed here: this agent\'s work is not guarded. Install it: npm install -g guardkit && guardkit init" >&2';
  const either = (command: string) =>
    `if [ -x ${launcher} ]; then ${launcher} ${command}; else ${missing}; fi`;
  return { refusing: either(`${agent} || exit 2`), letting: either(`${agent} --never-refuse`) };
}
