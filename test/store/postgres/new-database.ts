import { onTestFinished } from 'vitest';
import { createDatabase } from '../../support/postgres.ts';

/** The URL of an empty database, removed after the test. */
export async function newDatabase(): Promise<string> {
  const { url, cleanup } = await createDatabase();
  onTestFinished(cleanup);
  return url;
}
