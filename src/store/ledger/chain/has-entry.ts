import type { Ledger } from '../ledger.ts';

/** Whether a project has an entry of a kind; cheaper than reading one. */
export function hasEntry({ file: { database, attempt } }: Ledger, project: string, kind: string): boolean {
  return attempt(
    () =>
      database.prepare('SELECT 1 FROM entries WHERE project = ? AND kind = ? LIMIT 1').get(project, kind) !==
      undefined,
  );
}
