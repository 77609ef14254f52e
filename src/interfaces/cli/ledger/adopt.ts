import * as z from 'zod';
import { GuardKitError } from '../../../guardkit-error.ts';
import { RecordKey } from '../../../platform/signing/record-key.ts';
import { inTransaction } from '../../../store/ledger/in-transaction.ts';
import { adoptRecords, unsignedRecords } from '../../../store/ledger/signing/adopt-records.ts';
import { rebuildFeatures } from '../../../store/ledger/tables/feature-table.ts';
import { rebuildGuards } from '../../../store/ledger/tables/learned-guards-chain.ts';
import { openProjectLedger } from '../open-project-ledger.ts';
import { oneLine, plural } from '../output/printable.ts';
import { type CliContext, defineCommand, type Report } from '../program/cli-command.ts';
import { personName, requirePerson } from '../verification/person-name.ts';

export const adopt = defineCommand({
  name: 'adopt',
  summary: 'Sign records without this machine’s signature (person only)',
  changes: true,
  schema: z.object({ dryRun: z.boolean().default(false) }),
  run: runAdopt,
});

const SHOWN = 20;

/** For a restored backup, or after the key was replaced. A forged record would count afterwards, so each is shown. */
async function runAdopt(context: CliContext, { dryRun }: { dryRun: boolean }): Promise<Report> {
  const { ledger, project } = await openProjectLedger(context);
  const { file } = ledger;
  if (!dryRun) {
    requirePerson(context, 'adopt records');
    RecordKey.make(file.signatures.dataFolder);
  }
  const found = [...unsignedRecords(file, project)];
  const [first, last] = [found[0], found.at(-1)];
  if (!first || !last)
    return { json: { adopted: 0, records: [] }, text: 'Every record is signed by this machine.' };
  const records = found.map(({ number, kind, at }) => ({ number, kind, at: new Date(at).toISOString() }));
  const shown = found.slice(0, SHOWN).map((row) => `  ${row.number} ${row.kind} ${oneLine(row.body, 100)}`);
  if (found.length > SHOWN) shown.push(`  and ${found.length - SHOWN} more`);
  const listed = [`Not signed by this machine, and without effect:`, ...shown].join('\n');
  if (dryRun) return { json: { adopted: 0, records }, text: listed };
  const typed = await context.ask(`${listed}\nType adopt if all of them are yours: `);
  if (typed.trim().toLowerCase() !== 'adopt')
    throw new GuardKitError({
      code: 'ledger.adopt-cancelled',
      kind: 'refused',
      message: 'Cancelled; nothing changed.',
      hint: 'Run the command again and type adopt.',
    });
  const adopted = inTransaction(ledger, () => {
    const count = adoptRecords(file, project);
    rebuildFeatures(ledger, project);
    rebuildGuards(ledger, project);
    if (count > 0)
      ledger.append(project, 'records_adopted', {
        count,
        first: first.number,
        last: last.number,
        by: personName(context.env),
      });
    return count;
  });
  return { json: { adopted, records }, text: `${plural(adopted, 'record')} signed.` };
}
