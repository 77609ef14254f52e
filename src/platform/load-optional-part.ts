import { GuardKitError } from '../guardkit-error.ts';

/**
 * Loads an optional part of GuardKit. In the library it is a separate file, named for its content: if it is missing, GuardKit
 * was replaced after the program started.
 */
export async function loadPart<Part>(load: () => Promise<Part>): Promise<Part> {
  try {
    return await load();
  } catch (error) {
    if (!isGone(error)) throw error;
    throw new GuardKitError({
      code: 'program.replaced',
      kind: 'outside',
      message: `GuardKit was replaced while this program was running: ${error.message}.`,
      hint: 'Restart the program.',
      cause: error,
    });
  }
}

/** A missing package is another error. */
function isGone(error: unknown): error is Error {
  if (!(error instanceof Error) || !('code' in error) || error.code !== 'ERR_MODULE_NOT_FOUND') return false;
  return !error.message.startsWith('Cannot find package');
}
