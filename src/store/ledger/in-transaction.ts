import { immediately, inOneState } from '../sqlite/statements.ts';
import type { Ledger } from './ledger.ts';

/**
 * All or nothing, and nobody else writes in the meantime, so reads stay valid. A nested call joins the outer
 * transaction.
 */
export function inTransaction<Result>({ file, event, shared }: Ledger, work: () => Result): Result {
  const { database, attempt } = file;
  if (database.inTransaction) return work();
  let failure: { error: unknown } | undefined;
  try {
    return attempt(() =>
      immediately(database, () => {
        try {
          event?.requireOwn(Date.now());
          shared?.defer();
          const result = work();
          shared?.flush('at the end');
          return result;
        } catch (error) {
          failure = { error };
          throw error;
        }
      }),
    );
  } catch (error) {
    // An error of the work itself must not be reported as a failure of the ledger.
    throw failure === undefined ? error : failure.error;
  } finally {
    shared?.drop();
  }
}

/** Reads one state of the ledger. Others may write meanwhile, so the work must not. */
export function reading<Result>({ file: { database, attempt } }: Ledger, work: () => Result): Result {
  return database.inTransaction ? work() : attempt(() => inOneState(database, work));
}
