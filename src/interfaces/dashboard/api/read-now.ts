import * as z from 'zod';
import { Repository } from '../../../platform/git/repository.ts';
import { publicKeyOf } from '../../../platform/signing/dsse.ts';
import { readMachineKey } from '../../../platform/signing/machine-key.ts';
import { readFeatures } from '../../../store/ledger/tables/feature-table.ts';
import { checkAttestation, readAttestations } from '../../../verification/attestation/check-attestation.ts';
import { lastBuilds } from './last-builds.ts';
import { whatWaits } from './pending-decisions.ts';
import { type OpenedProject, type ReadContext, runJson } from './read-context.ts';
import { readRunning } from './read-running.ts';
import { type NowAnswer, statusSchema } from './schemas.ts';

/** Learned guards that a person may promote. */
const guardsSchema = z.object({
  guards: z.array(z.object({ id: z.string(), summary: z.string(), origin: z.string(), mode: z.string() })),
});

/** What runs now, and what waits for a person. */
export async function readNow(context: ReadContext, opened: OpenedProject): Promise<NowAnswer> {
  const { ledger, project, checkout } = opened;
  const status =
    checkout === undefined
      ? null
      : statusSchema.parse(await runJson(context, ['status', '--dry-run'], checkout));
  const guards =
    checkout === undefined
      ? []
      : (guardsSchema.safeParse(await runJson(context, ['guard', 'list'], checkout)).data?.guards ?? []);
  const features = readFeatures(ledger, project);
  const running = readRunning(opened);
  return {
    project,
    at: new Date().toISOString(),
    head: ledger.head(project)?.number ?? 0,
    checkout: checkout ?? null,
    status,
    running,
    waiting: whatWaits({
      status,
      features,
      builds: lastBuilds(ledger, project),
      running: new Set(running.flatMap(({ feature }) => feature ?? [])),
      attestation: checkout === undefined ? undefined : await failedAttestation(checkout, opened.dataFolder),
      proposed: guards.filter(({ origin, mode }) => origin === 'learned' && mode !== 'deny'),
    }),
    features: features.length,
  };
}

/** Why no attestation of the current commit is valid; undefined if there is none, or this machine cannot judge it. */
async function failedAttestation(
  checkout: string,
  dataFolder: string,
): Promise<{ commit: string; why: string } | undefined> {
  const repository = await Repository.open(checkout);
  const commit = await repository.commit('HEAD');
  const found = commit === undefined ? [] : await readAttestations(repository, commit);
  if (commit === undefined || found.length === 0) return undefined;
  const key = readMachineKey(dataFolder);
  const keys = key ? [publicKeyOf(key)] : [];
  let why = '';
  for (const one of found) {
    const checked = await checkAttestation(one, { repository, commit, keys, now: Date.now() });
    // Signed by another machine or by CI, whose key is not here.
    if (checked.ok || checked.code === 'untrusted-key') return undefined;
    why = checked.why;
  }
  return { commit, why };
}
