import type { SessionScript } from './interfaces/hooks/join-session.ts';
import { loadScript, type ScriptGiven } from './load-script.ts';

/** Put in by the build: the file beside this one that holds it. */
declare const __GUARDKIT_SESSION__: string;

/** A module of its own for the hook that begins with a snapshot, which itself cannot import any more. */
export function loadSession(
  { shared }: { shared: NonNullable<ScriptGiven['part']> },
  given: Pick<ScriptGiven, 'later'> = {},
): SessionScript {
  const file = `${__dirname}/${__GUARDKIT_SESSION__}`;
  return loadScript<SessionScript>(file, { ...given, require, part: shared });
}
