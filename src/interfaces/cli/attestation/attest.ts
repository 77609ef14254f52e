import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import * as z from 'zod';
import { readConfigText } from '../../../config/yaml/yaml-file.ts';
import { GuardKitError } from '../../../guardkit-error.ts';
import { systemClock } from '../../../platform/clock.ts';
import { Repository } from '../../../platform/git/repository.ts';
import type { Envelope } from '../../../platform/signing/dsse.ts';
import { makeMachineKey, publicPem, readMachineKey } from '../../../platform/signing/machine-key.ts';
import {
  addAttestation,
  type CheckedAttestation,
  checkAttestation,
  findAttestation,
} from '../../../verification/attestation/check-attestation.ts';
import { makeAttestation } from '../../../verification/attestation/make-attestation.ts';
import { signingKeyOf, signResult } from '../../../verification/attestation/sign-ci-result.ts';
import { openHistory } from '../feature-build/open-history.ts';
import { oneLine } from '../output/printable.ts';
import { type CliContext, defineCommand, type Report } from '../program/cli-command.ts';
import { personName, refuseAgents } from '../verification/person-name.ts';
import { trustedKeys } from './trusted-keys.ts';

export const attest = defineCommand({
  name: 'attest',
  summary: 'Export or check a signed verification result',
  arguments: [['[id]', 'Feature or task to export']],
  options: [
    ['--commit <ref>', 'Commit to attest (default: HEAD)'],
    ['--note', 'Also store it as a git note on the commit'],
    ['--check <target>', 'Check a file, or the notes on a commit'],
    ['--trust <file>', 'PEM file with public keys to trust', 'repeatable'],
    ['--sign <file>', 'Sign the results of `guardkit ci --reports` (in CI)'],
    ['--public-key', 'Print this machine’s public key'],
  ],
  changes: true,
  schema: z
    .object({
      id: z.string().min(1).optional(),
      commit: z.string().min(1).default('HEAD'),
      note: z.boolean().default(false),
      check: z.string().min(1).optional(),
      trust: z.array(z.string().min(1)).default([]),
      sign: z.string().min(1).optional(),
      publicKey: z.boolean().default(false),
      dryRun: z.boolean().default(false),
    })
    .refine(
      ({ id, check, sign, publicKey }) => [check, sign, id].some((one) => one !== undefined) || publicKey,
      'Specify a feature or task, or use --check, --sign or --public-key.',
    ),
  async run(context, input) {
    if (input.publicKey) return showPublicKey(context);
    if (input.sign !== undefined) return signResults(context, input.sign, input);
    return input.check === undefined ? exportAttestation(context, input) : check(context, input.check, input);
  },
});

interface AttestInput {
  id?: string | undefined;
  commit: string;
  note: boolean;
  trust: readonly string[];
  dryRun: boolean;
}

async function showPublicKey(context: CliContext): Promise<Report> {
  const { home } = await context.workspace();
  await refuseAgents(context, 'create this machine’s key');
  const pem = publicPem(makeMachineKey(home));
  return { json: { public_key: pem }, text: pem.trimEnd() };
}

async function exportAttestation(context: CliContext, input: AttestInput): Promise<Report> {
  const { id = '', note, dryRun } = input;
  await refuseAgents(context, 'sign the result of a verification');
  const { repository, ledger, project } = await openHistory(context);
  const { home } = await context.workspace();
  const commit = await requireCommit(repository, input.commit);
  const by = personName(context.env);
  const { envelope, statement, unsigned } = await makeAttestation({
    repository,
    ledger,
    project,
    id,
    commit,
    key: readMachineKey(home),
    sandboxed: (await context.findSandbox()).available,
    by,
    now: systemClock(),
  });
  if (note && !dryRun) await addAttestation(repository, commit, envelope, oneLine(by, 100));
  return {
    json: { envelope, statement, signed: unsigned === undefined, why_unsigned: unsigned ?? null },
    text: JSON.stringify(envelope),
    notices: [
      ...(unsigned === undefined ? [] : [`! Not signed: ${unsigned}.`]),
      ...(note && !dryRun
        ? [`Stored in the notes of ${commit.slice(0, 12)}. Share them: git push origin refs/notes/guardkit`]
        : []),
    ],
  };
}

/** In a job of CI that runs no code of the branch: with a key that the job with the tests never has. */
async function signResults(
  context: CliContext,
  file: string,
  { commit: asked, note, dryRun }: AttestInput,
): Promise<Report> {
  await refuseAgents(context, 'sign the result of a verification');
  const key = signingKeyOf(context.env);
  const repository = await Repository.open(context.cwd);
  const commit = await requireCommit(repository, asked);
  const read = readConfigText(resolve(context.cwd, file));
  const lines = read.ok ? read.text.split('\n').filter((line) => line.trim() !== '') : [];
  if (lines.length === 0) throw nothingToSign(file);
  const envelopes: Envelope[] = [];
  for (const line of lines)
    envelopes.push(await signResult(parseJson(line), { repository, commit, key, now: systemClock() }));
  if (note && !dryRun)
    for (const envelope of envelopes) await addAttestation(repository, commit, envelope, 'guardkit ci');
  return { json: { envelopes }, text: envelopes.map((one) => JSON.stringify(one)).join('\n') };
}

async function check(context: CliContext, target: string, { trust, commit }: AttestInput): Promise<Report> {
  const keys = trustedKeys(context.cwd, trust);
  if (keys.length === 0) throw noTrust();
  const repository = await Repository.open(context.cwd);
  const now = systemClock();
  const file = resolve(context.cwd, target);
  const isFile = statSync(file, { throwIfNoEntry: false })?.isFile() === true;
  const about = await requireCommit(repository, isFile ? commit : target);
  const checked = isFile
    ? await checkAttestation(readEnvelope(file), { repository, commit: about, keys, now })
    : await findAttestation({ repository, commit: about, keys, now });
  return describeChecked(checked, about);
}

function describeChecked(checked: CheckedAttestation, commit: string): Report {
  if (!checked.ok)
    return {
      json: { ok: false, commit, code: checked.code, why: checked.why },
      text: `✗ No valid attestation of ${commit.slice(0, 12)}: ${checked.why}.`,
      exitCode: 1,
    };
  const { feature, task, at, by, sandbox, approved } = checked.statement.predicate;
  return {
    json: { ok: true, commit, signer: checked.signer, statement: checked.statement },
    text: [
      `✓ ${task ?? feature} is tested${approved ? ' and approved' : ''} at ${commit.slice(0, 12)}.`,
      `  signed by ${checked.signer.slice(0, 16)} (${oneLine(by, 100)}) at ${at}, ${sandbox ?? 'no sandbox'}`,
    ].join('\n'),
  };
}

function readEnvelope(file: string): unknown {
  const read = readConfigText(file);
  return read.ok ? parseJson(read.text) : undefined;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Reported as unreadable.
    return undefined;
  }
}

function nothingToSign(file: string): GuardKitError {
  return new GuardKitError({
    code: 'attest.nothing-to-sign',
    kind: 'refused',
    message: `--sign ${file.slice(0, 100)}: no tested claim found.`,
    hint: 'Sign only after `guardkit ci --reports FOLDER` has passed; it writes FOLDER/attestations.jsonl.',
  });
}

async function requireCommit(repository: Repository, name: string): Promise<string> {
  const commit = await repository.commit(name);
  if (commit !== undefined) return commit;
  throw new GuardKitError({
    code: 'attest.no-commit',
    kind: 'input',
    message: `"${name.slice(0, 100)}" is neither a file nor a commit.`,
    hint: 'Specify a file with an attestation, or a commit of this repository.',
  });
}

function noTrust(): GuardKitError {
  return new GuardKitError({
    code: 'attest.no-trust',
    kind: 'input',
    message: '--check needs the keys to trust.',
    hint: 'Add --trust FILE with public keys; `guardkit attest --public-key` prints the key of a machine.',
  });
}
