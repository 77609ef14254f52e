import type { SessionScript } from './interfaces/hooks/join-session.ts';
import type { runHook } from './interfaces/hooks/run-hook.ts';

/** What the script of hooks exports. */
export interface HookScript {
  runHook: typeof runHook;
  /** Evaluates all that hooks usually need, which they otherwise do when they come to need it. */
  evaluate(): void;
  /** Gives a module of the program to a script that is loaded beside it. */
  shared(name: string): unknown;
}

/** Runs the small program that answers hooks. If it cannot even be loaded, that refuses. */
export async function startHook(
  load: () => HookScript,
  args: readonly string[],
  session: (program: HookScript) => SessionScript,
): Promise<number> {
  try {
    const program = load();
    return await program.runHook(args, undefined, () => session(program));
  } catch (error) {
    process.stderr.write(
      `GuardKit could not judge this, so it is refused: ${error instanceof Error ? error.message : error}\n` +
        'Run `guardkit doctor` in a terminal of your own; it says what is broken.\n',
    );
    return 2;
  }
}
