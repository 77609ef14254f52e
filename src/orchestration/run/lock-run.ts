import { join } from 'node:path';
import { GuardKitError } from '../../guardkit-error.ts';
import type { ProcessLock } from '../../platform/processes/process-lock.ts';
import { holdLock } from '../feature-build/lock-feature.ts';

/** One run of a project at a time. No feature has an id with a space in it. */
export function lockRun(home: string, project: string): Promise<ProcessLock> {
  return holdLock(join(home, 'locks', project, 'the run.lock'), (who) => taken(who));
}

function taken(who: string): GuardKitError {
  return new GuardKitError({
    code: 'run.taken',
    kind: 'refused',
    message: `A run of this project is under way already, held ${who}.`,
    hint: 'Wait for it, or end it with Ctrl-C where it runs; then run this again, and it goes on where that one stopped.',
  });
}
