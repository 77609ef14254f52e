import { loadScript } from './load-script.ts';
import { loadSession } from './load-session.ts';
import { type HookScript, startHook } from './start-hook.ts';

/** Put in by the build: the file beside this one that holds the program. */
declare const __GUARDKIT_HOOK__: string;

// What an agent's hooks start at every step, where `guardkit hook` would do as well: made into a script and no module, it
// spares Node its loader of modules.
const load = () => loadScript<HookScript>(`${__dirname}/${__GUARDKIT_HOOK__}`, { require });
startHook(load, process.argv.slice(2), loadSession).then((exitCode) => {
  // At once: everything is written, and there is nothing to clear away that the system does not.
  process.exit(exitCode);
});
