import { launcherPath, quote } from './launcher.ts';

/** For one person's settings: the launcher by its absolute path. A launcher that is gone is a hook that fails, and refuses. */
export function ownHookCommand(dataFolder: string, agent: string): string {
  return `${quote(launcherPath(dataFolder))} ${agent} || exit 2`;
}

/** For a team's settings: on a machine without GuardKit nothing can be judged, which is said loudly. */
export function sharedHookCommand(agent: string): string {
  const launcher = '"${GUARDKIT_HOME:-$HOME/.guardkit}/bin/guardkit-hook"';
  return (
    `if [ -x ${launcher} ]; then ${launcher} ${agent} || exit 2; ` +
    `else echo "GuardKit is NOT installed here: this agent's work is not guarded. Install it: npm install -g guardkit && guardkit init" >&2; fi`
  );
}
