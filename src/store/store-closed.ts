import { GuardKitError } from '../guardkit-error.ts';

/** For a store that is used after it was closed. */
export function storeClosed(location: string): GuardKitError {
  return new GuardKitError({
    code: 'store.closed',
    kind: 'input',
    message: `The episode store ${location} was closed already.`,
    hint: 'Open it again, or close it after the last use.',
  });
}
