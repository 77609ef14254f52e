import * as z from 'zod';
import { readFeatures } from '../../../store/ledger/tables/feature-table.ts';
import { failedAttestation } from './failed-attestation.ts';
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
