import type { runHook } from './interfaces/hooks/run-hook.ts';
import { loadScript } from './load-script.ts';

/** Runs the small program that answers hooks. If it cannot even be loaded, that refuses. */
export async function startHook(
  script: string,
  args: readonly string[],
  given?: NodeJS.Require,
): Promise<number> {
  try {
    return await loadScript<{ runHook: typeof runHook }>(script, given).runHook(args);
  } catch (error) {
    process.stderr.write(
      `GuardKit could not judge this, so it is refused: ${error instanceof Error ? error.message : error}\n` +
        'Run `guardkit doctor` in a terminal of your own; it says what is broken.\n',
    );
    return 2;
  }
}
