import { existsSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { findGitFolder } from '../../platform/git/git-folder.ts';
import { environmentOf, isRunning } from '../../platform/processes/process-table.ts';
import { openLedger } from '../../store/ledger/open-ledger.ts';
import { WatchTables } from '../../store/ledger/tables/watch-tables.ts';

/** The part of a session's record that matters here. */
const sessionSchema = z.object({
  checkout: z.string(),
  process: z.object({ pid: z.int(), started: z.number() }).nullable(),
});

/**
 * The environment that a person gave to the agent program in a checkout: the one of its latest session, by hooks that ran
 * outside the wrapper. Undefined where no such program runs.
 */
export function personsProgramEnvironment(dataFolder: string, cwd: string): NodeJS.ProcessEnv | undefined {
  const path = join(dataFolder, 'ledger.db');
  const git = findGitFolder(cwd);
  if (!git || !existsSync(path)) return undefined;
  const checkout = realpathSync(git.root);
  const ledger = openLedger({ path });
  try {
    const sessions = new WatchTables(ledger)
      .sessions()
      .sort((one, other) => other.seen_at - one.seen_at)
      .flatMap(({ body }) => sessionSchema.safeParse(JSON.parse(body)).data ?? []);
    for (const { process, checkout: own } of sessions) {
      if (own !== checkout || process === null || !isRunning(process)) continue;
      const entries = environmentOf(process.pid);
      if (entries.length > 0) return asEnvironment(entries);
    }
    return undefined;
  } finally {
    ledger.close();
  }
}

function asEnvironment(entries: readonly string[]): NodeJS.ProcessEnv {
  return Object.fromEntries(
    entries.flatMap((entry) => {
      const at = entry.indexOf('=');
      return at > 0 ? [[entry.slice(0, at), entry.slice(at + 1)]] : [];
    }),
  );
}
