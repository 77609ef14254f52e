import { FEATURE_STATUSES } from '../../../domain/entities/feature.ts';
import { countStatuses } from '../../../store/ledger/tables/feature-table.ts';
import { findCheckouts, type ReadContext } from './read-context.ts';
import type { ProjectsAnswer } from './schemas.ts';

/** Every project of the data folder, the one with the newest entry first. */
export async function readProjects({ ledger: open, dataFolder }: ReadContext): Promise<ProjectsAnswer> {
  const ledger = open();
  if (!ledger) return { projects: [] };
  const projects: ProjectsAnswer['projects'] = [];
  for (const id of ledger.projects()) {
    const number = ledger.head(id)?.number ?? 0;
    const [last] = ledger.entries(id, { afterNumber: number - 1, limit: 1 });
    const counted = countStatuses(ledger, id);
    projects.push({
      id,
      checkouts: await findCheckouts(ledger, dataFolder, id),
      entries: number,
      last_at: last?.at ?? null,
      features: Object.fromEntries(FEATURE_STATUSES.map((status) => [status, counted.get(status) ?? 0])),
    });
  }
  return { projects: projects.sort((a, b) => (b.last_at ?? '').localeCompare(a.last_at ?? '')) };
}
