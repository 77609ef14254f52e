import { pullChain } from '../../../store/shared/pull-chain.ts';
import { requireSharedProject } from '../../../store/shared/shared-projects.ts';
import { verifySharedChain } from '../../../store/shared/verify-shared-chain.ts';
import { plural } from '../output/printable.ts';
import type { CliContext, Report } from '../program/cli-command.ts';
import { openClone, withQueue } from '../queue/open-queue.ts';

/** Adds the chain that workers share to the report about this machine's own. */
export async function withSharedChain(context: CliContext, own: Report): Promise<Report> {
  const { url, project, identity } = await openClone(context);
  return withQueue(url, async (database) => {
    const shared = await requireSharedProject(database, project, identity);
    const ledger = await context.ledger();
    await pullChain(database, ledger, project);
    const verdict = await verifySharedChain(database, shared, ledger);
    const json = { ...(own.json as object), shared: verdict };
    if (!verdict.ok)
      return {
        json: { ...json, ok: false },
        text: `${own.text}\n✗ Entry ${verdict.number} of the shared chain: ${verdict.reason}.`,
        exitCode: 1,
      };
    const elsewhere = verdict.machines.filter(({ here }) => !here);
    return {
      ...own,
      json,
      text: [
        own.text,
        `✓ ${plural(verdict.entries, 'entry', 'entries')} of the shared chain, unaltered.`,
        ...elsewhere.map(
          ({ machine, number }) =>
            `  Another machine (ledger ${machine}) has ${plural(number, 'record')} of its own, such as those of hooks, which can be checked only there.`,
        ),
      ].join('\n'),
    };
  });
}
