import * as z from 'zod';
import { publicKeyOf } from '../../../platform/signing/dsse.ts';
import { readMachineKey } from '../../../platform/signing/machine-key.ts';
import { findAnchors, firstDifference } from '../../../verification/attestation/ledger-anchors.ts';
import { trustedKeys } from '../attestation/trusted-keys.ts';
import { openHistory } from '../build/open-history.ts';
import { plural } from '../output/printable.ts';
import { type CliContext, defineCommand, type Report } from '../program/cli-command.ts';

export const verify = defineCommand({
  name: 'verify',
  summary: 'Check the ledger’s hash chain against all attestations',
  options: [['--trust <file>', 'PEM file with more public keys to trust', 'repeatable']],
  schema: z.object({ trust: z.array(z.string().min(1)).default([]) }),
  run: runVerify,
});

/** A consistent chain may still be rewritten as a whole; the anchors show that. */
async function runVerify(context: CliContext, { trust }: { trust: readonly string[] }): Promise<Report> {
  const { repository, ledger, project } = await openHistory(context);
  const { home } = await context.workspace();
  const own = readMachineKey(home);
  const keys = [...(own ? [publicKeyOf(own)] : []), ...trustedKeys(context.cwd, trust)];
  const chain = ledger.verify(project);
  if (!chain.ok)
    return {
      json: { ok: false, first: chain.number, reason: chain.reason, anchors: null },
      text: `✗ Entry ${chain.number} of ${project} was altered: ${chain.reason}.`,
      exitCode: 1,
    };
  const anchors = await findAnchors(repository, ledger, project, keys);
  const different = firstDifference(ledger, project, anchors);
  if (different) {
    const { number, at, commit } = different;
    return {
      json: { ok: false, first: number, reason: 'anchor', anchors: anchors.length, anchor: different },
      text: `✗ The entries up to ${number} were rewritten after ${at}, when ${commit.slice(0, 12)} was attested with another chain.`,
      exitCode: 1,
    };
  }
  return {
    json: { ok: true, entries: chain.entries, anchors: anchors.length },
    text: `✓ ${plural(chain.entries, 'entry', 'entries')} of ${project}, unaltered; ${plural(anchors.length, 'anchor')} checked.`,
    notices:
      anchors.length > 0
        ? []
        : [
            'No attestation in refs/notes/guardkit anchors this ledger, so a rewritten chain would not be noticed.',
          ],
  };
}
