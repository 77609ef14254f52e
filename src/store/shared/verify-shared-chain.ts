import { createHash } from 'node:crypto';
import * as z from 'zod';
import type { Ledger } from '../ledger/ledger.ts';
import { lastShared, sharedNumbers } from '../ledger/shared-writer.ts';
import type { Session } from '../postgres/postgres-database.ts';
import type { SharedProject } from './shared-projects.ts';

const entrySchema = z.object({
  number: z.number(),
  kind: z.string(),
  at: z.number(),
  body: z.string(),
  worker: z.string(),
  feature: z.string(),
  epoch: z.number(),
  machine: z.string(),
  machine_number: z.number(),
  machine_hash: z.string(),
  prev_hash: z.string(),
  hash: z.string(),
});

type Entry = z.infer<typeof entrySchema>;

const ROWS_AT_ONCE = 1000;
const START = '0'.repeat(64);

/** A machine that wrote to the shared chain. */
export interface SeenMachine {
  machine: string;
  /** The last head of its own chain that a shared entry carries. */
  number: number;
  /** Its records are on this machine, and have that head. */
  here: boolean;
}

export type SharedVerdict =
  | { ok: true; entries: number; machines: SeenMachine[]; missing: number }
  | { ok: false; number: number; reason: string };

/** Checks every link of the shared chain, and this machine's own chain against what others hold about it. */
export async function verifySharedChain(
  session: Session,
  { project, chain, number, hash }: SharedProject,
  ledger: Ledger,
): Promise<SharedVerdict> {
  const machines = new Map<string, SeenMachine>();
  const here = sharedNumbers(ledger.file, project);
  const known = lastShared(ledger.file, project);
  let last = { number: 0, hash: START };
  let missing = 0;
  for await (const entry of entriesOf(session, project)) {
    if (entry.number !== last.number + 1) return broken(last.number + 1, 'it is missing');
    if (entry.prev_hash !== last.hash) return broken(entry.number, 'it does not follow the entry before it');
    if (linkOf(chain, project, entry) !== entry.hash) return broken(entry.number, 'it was altered');
    last = { number: entry.number, hash: entry.hash };
    if (!here.has(entry.number)) missing += 1;
    const isOwn = entry.machine === ledger.id;
    if (isOwn && !isHeadHere(ledger, project, entry))
      return broken(entry.number, `entry ${entry.machine_number} of this machine has changed since`);
    machines.set(entry.machine, { machine: entry.machine, number: entry.machine_number, here: isOwn });
  }
  // The project was read before the entries, which others may have added to.
  if (last.number < number) return broken(last.number + 1, `it is missing; ${number} were written`);
  if (last.number === number && last.hash !== hash)
    return broken(number, 'it is not the entry that was written last');
  if (last.number < known) return broken(last.number + 1, `it is missing; this machine has copied ${known}`);
  return { ok: true, entries: last.number, machines: [...machines.values()], missing };
}

function isHeadHere(ledger: Ledger, project: string, { machine_number, machine_hash }: Entry): boolean {
  return machine_number === 0 || ledger.headAt(project, machine_number)?.hash === machine_hash;
}

async function* entriesOf(session: Session, project: string): AsyncGenerator<Entry> {
  for (let after = 0; ; ) {
    const rows = z.array(entrySchema).parse(
      await session.query({
        text: `SELECT * FROM guardkit_queue.entry WHERE project = ? AND number > ? ORDER BY number LIMIT ${ROWS_AT_ONCE}`,
        values: [project, after],
      }),
    );
    yield* rows;
    const last = rows.at(-1);
    if (!last) return;
    after = last.number;
  }
}

/** As `guardkit_queue.link` computes it. */
function linkOf(chain: string, project: string, entry: Entry): string {
  const { number, kind, at, body, worker, feature, epoch, machine, machine_number, machine_hash } = entry;
  const parts = [chain, entry.prev_hash, project, number, kind, at, body, worker, feature, epoch, machine];
  const text = [...parts, machine_number, machine_hash].map(String);
  return createHash('sha256')
    .update(text.map((part) => `${Buffer.byteLength(part)}:${part}`).join(''))
    .digest('hex');
}

function broken(number: number, reason: string): SharedVerdict {
  return { ok: false, number, reason };
}
