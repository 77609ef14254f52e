import { VERSION } from '../../../version.ts';
import { type OpenedProject, type ReadContext, runJson } from './read-context.ts';
import { doctorSchema, type HealthAnswer } from './schemas.ts';

/** What `guardkit doctor` finds, and the state of ledger and process. */
export async function readHealth(context: ReadContext, opened: OpenedProject): Promise<HealthAnswer> {
  const { ledger, project, checkout } = opened;
  const began = Date.now();
  const doctor =
    checkout === undefined ? null : doctorSchema.parse(await runJson(context, ['doctor'], checkout));
  const head = ledger.head(project);
  return {
    project,
    checkout: checkout ?? null,
    at: new Date().toISOString(),
    seconds: (Date.now() - began) / 1000,
    doctor,
    ledger: {
      path: ledger.path,
      entries: head?.number ?? 0,
      hash: head?.hash ?? '',
      undelivered: ledger.outbox.status().pending,
    },
    process: {
      version: VERSION,
      node: process.version,
      pid: process.pid,
      uptime_seconds: Math.round(process.uptime()),
      memory_mb: Math.round(process.memoryUsage.rss() / 1e6),
    },
  };
}
