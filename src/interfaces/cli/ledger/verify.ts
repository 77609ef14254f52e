import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import * as z from 'zod';
import { GuardKitError } from '../../../guardkit-error.ts';
import { publicKeyOf } from '../../../platform/signing/dsse.ts';
import { readMachineKey } from '../../../platform/signing/machine-key.ts';
import type { Ledger } from '../../../store/ledger/ledger.ts';
import { unsignedRecords } from '../../../store/ledger/signing/adopt-records.ts';
import { pullChain } from '../../../store/shared/pull-chain.ts';
import { requireSharedProject } from '../../../store/shared/shared-projects.ts';
import { verifySharedChain } from '../../../store/shared/verify-shared-chain.ts';
import {
  attestedAnchors,
  firstDifference,
  type LedgerAnchor,
  loggedAnchors,
  storedAnchors,
} from '../../../verification/attestation/ledger-anchors.ts';
import { trustedKeys } from '../attestation/trusted-keys.ts';
import { openHistory } from '../feature-build/open-history.ts';
import { plural } from '../output/printable.ts';
import { type CliContext, defineCommand, type Report } from '../program/cli-command.ts';
import { openClone, withQueue } from '../queue/open-queue.ts';

export const verify = defineCommand({
  name: 'verify',
  summary: 'Check the ledger’s chain, signatures and anchors',
  options: [
    ['--trust <file>', 'PEM file with more public keys to trust', 'repeatable'],
    ['--log <file>', 'Log of `guardkit ci` that contains anchors', 'repeatable'],
    ['--all', 'Also check the chain that workers share'],
  ],
  schema: z.object({
    trust: z.array(z.string().min(1)).default([]),
    log: z.array(z.string().min(1)).default([]),
    all: z.boolean().default(false),
  }),
  async run(context, input) {
    const own = await runVerify(context, input);
    return input.all ? withSharedChain(context, own) : own;
  },
});

interface VerifyInput {
  trust: readonly string[];
  log: readonly string[];
}

/** A consistent chain may still be rewritten as a whole; signatures and anchors show that. */
async function runVerify(context: CliContext, input: VerifyInput): Promise<Report> {
  const { repository, ledger, project } = await openHistory(context);
  const { home } = await context.workspace();
  const own = readMachineKey(home);
  const keys = [...(own ? [publicKeyOf(own)] : []), ...trustedKeys(context.cwd, input.trust)];
  const chain = ledger.verify(project);
  if (!chain.ok)
    return {
      json: { ok: false, first: chain.number, reason: chain.reason, anchors: null },
      text: `✗ Entry ${chain.number} of ${project} was altered: ${chain.reason}.`,
      exitCode: 1,
    };
  const stored = await readStored(context, ledger, project);
  const anchors = [
    ...(await attestedAnchors(repository, ledger, project, keys)),
    ...stored.anchors,
    ...input.log.flatMap((file) => loggedAnchors(readLog(context.cwd, file), file, ledger, project)),
  ];
  const different = firstDifference(ledger, project, anchors);
  const [foreign] = unsignedRecords(ledger.file, project);
  if (foreign && (!different || foreign.number < different.number))
    return {
      json: {
        ok: false,
        first: foreign.number,
        reason: 'unsigned',
        kind: foreign.kind,
        anchors: anchors.length,
      },
      text: `✗ Entry ${foreign.number} of ${project} (${foreign.kind}) is not signed by this machine: another program wrote it, or changed the chain before it. It has no effect.`,
      notices: stored.notices,
      exitCode: 1,
    };
  if (different)
    return {
      json: {
        ok: false,
        first: different.number,
        reason: 'anchor',
        anchors: anchors.length,
        anchor: different,
      },
      text: `✗ The entries up to ${different.number} were rewritten or removed after ${describeAnchor(different)}.`,
      notices: stored.notices,
      exitCode: 1,
    };
  return {
    json: { ok: true, entries: chain.entries, anchors: anchors.length },
    text: `✓ ${plural(chain.entries, 'entry', 'entries')} of ${project}, unaltered; ${plural(anchors.length, 'anchor')} checked.`,
    notices: [...stored.notices, ...(anchors.length > 0 ? [] : [NO_ANCHOR])],
  };
}

const NO_ANCHOR =
  'Nothing outside this machine anchors the ledger (attestations in refs/notes/guardkit, PostgreSQL, or --log), so removing its newest entries would not be noticed.';

async function readStored(
  context: CliContext,
  ledger: Ledger,
  project: string,
): Promise<{ anchors: LedgerAnchor[]; notices: string[] }> {
  const { store: settings } = await context.workspace();
  if (settings.url === undefined) return { anchors: [], notices: [] };
  try {
    const anchors = await storedAnchors(await context.store(), ledger, project);
    return { anchors: anchors ?? [], notices: [] };
  } catch (error) {
    if (!(error instanceof GuardKitError) || error.kind !== 'outside') throw error;
    return { anchors: [], notices: [`! The anchors in PostgreSQL were not checked: ${error.message}`] };
  }
}

function readLog(cwd: string, file: string): string {
  try {
    return readFileSync(resolve(cwd, file), 'utf8');
  } catch (cause) {
    throw new GuardKitError({
      code: 'ledger.no-log',
      kind: 'input',
      message: `--log ${file}: the file cannot be read.`,
      hint: 'Save the log of a CI job that ran `guardkit ci` to a file, and pass that file to --log.',
      cause,
    });
  }
}

function describeAnchor({ at, source }: LedgerAnchor): string {
  switch (source.type) {
    case 'attestation':
      return `${at}, when ${source.commit.slice(0, 12)} was attested with a different chain`;
    case 'postgres':
      return `${at}, when PostgreSQL recorded a different chain`;
    case 'log':
      return `the CI run whose log is ${source.file}`;
  }
}

/** Adds the chain that workers share to the report about this machine's own. */
async function withSharedChain(context: CliContext, own: Report): Promise<Report> {
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
