import { setTimeout } from 'node:timers/promises';
import { GuardKitError } from '../../guardkit-error.ts';
import type { RunSettings } from './run-context.ts';

const LOOK_AGAIN_MS = 15_000;

/**
 * A build that cannot be begun right now, though nothing is wrong: somebody builds the feature by hand, which is waited
 * for, or the base failed where it had passed before, which is looked at once more. Undefined where a signal ended it.
 */
export async function retryBusyBuild<Result>(
  { emit }: RunSettings,
  signal: AbortSignal,
  build: () => Promise<Result>,
): Promise<Result | undefined> {
  let waits = false;
  for (let tries = 0; !signal.aborted; tries++) {
    try {
      return await build();
    } catch (error) {
      const code = error instanceof GuardKitError ? error.code : undefined;
      if (code === 'build.taken') {
        if (!waits && error instanceof Error)
          emit({ type: 'notice', text: `${error.message} The run waits.` });
        waits = true;
        await setTimeout(LOOK_AGAIN_MS, undefined, { signal }).catch(() => undefined);
      } else if (code !== 'build.preflight' || tries > 0) throw error;
    }
  }
  return undefined;
}
