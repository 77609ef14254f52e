import { GuardKitError } from '../guardkit-error.ts';

/**
 * Loads a part of GuardKit that not everybody needs. In the library it is a file of its own, named for what it holds: one
 * that is gone was replaced after the program that uses the library was started.
 */
export async function loadPart<Part>(load: () => Promise<Part>): Promise<Part> {
  try {
    return await load();
  } catch (error) {
    if (!isGone(error)) throw error;
    throw new GuardKitError({
      code: 'program.replaced',
      kind: 'outside',
      message: `GuardKit was replaced while this program runs, and a part that it had not loaded yet is gone: ${error.message}.`,
      hint: 'Start the program again: it then runs with what is installed now.',
      cause: error,
    });
  }
}

/** A package that is missing is told by its name, and is another matter. */
function isGone(error: unknown): error is Error {
  if (!(error instanceof Error) || !('code' in error) || error.code !== 'ERR_MODULE_NOT_FOUND') return false;
  return !error.message.startsWith('Cannot find package');
}
