import { loadProgram } from './load-program.ts';

/** Answers a hook. If the program cannot even be loaded, the action is refused. */
export async function startHook(args: readonly string[]): Promise<number> {
  try {
    return await loadProgram('hook').runHook(args);
  } catch (error) {
    process.stderr.write(
      `GuardKit could not judge this, so it is refused: ${error instanceof Error ? error.message : error}\n` +
        'Run `guardkit doctor` in your own terminal to find the cause.\n',
    );
    return 2;
  }
}
