import type { Ledger } from './ledger.ts';

/**
 * Everything in it happens or nothing, and nobody else writes meanwhile: what is read in it stays so. One inside of
 * another is part of it.
 */
export function inTransaction<Result>({ file }: Ledger, work: () => Result): Result {
  const { database, attempt } = file;
  if (database.inTransaction) return work();
  let failure: { error: unknown } | undefined;
  try {
    return attempt(() =>
      database
        .transaction(() => {
          try {
            return work();
          } catch (error) {
            failure = { error };
            throw error;
          }
        })
        .immediate(),
    );
  } catch (error) {
    // What the work itself met is no failure of the ledger, though it may look like one.
    throw failure === undefined ? error : failure.error;
  }
}
