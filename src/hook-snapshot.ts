import type { loadSession } from './load-session.ts';
import { makeSnapshot } from './make-snapshot.ts';
import { type HookScript, startHook } from './start-hook.ts';

/** Put in by the build: the file beside this one that holds the program. */
declare const __GUARDKIT_HOOK__: string;

const folder = process.getBuiltinModule('node:fs').realpathSync(__dirname);

makeSnapshot<HookScript>({
  folder,
  entry: 'hook.cjs',
  script: __GUARDKIT_HOOK__,
  main(program, require) {
    // By a module of its own, since what is in a snapshot cannot import any more.
    const session = () => {
      const module: { loadSession: typeof loadSession } = require(`${folder}/load-session.cjs`);
      return module.loadSession(program, { later: true });
    };
    return startHook(() => program, process.argv.slice(2), session);
  },
});
