import { GRAPH_PATH } from '../../architecture/file/graph-file.ts';
import { architectureEntries } from '../../architecture/history/architecture-entries.ts';
import { turnStateId } from '../../domain/entities/turn-state.ts';
import { readTreeFile } from '../../platform/git/git-tree.ts';
import type { TaskContext } from './build-context.ts';

/** What an approved turn made of the architecture graph since its task began goes on record, under the turn's name. */
export async function recordArchitecture(
  { repository, record, task, ledger, project, baseCommit }: TaskContext,
  number: number,
  commit: string,
): Promise<void> {
  const [before, after] = await Promise.all(
    [baseCommit, commit].map((one) => readTreeFile(repository, one, GRAPH_PATH)),
  );
  const turn = turnStateId(record.featureId, task.id, number);
  const by = { changed_by: `turn ${number} of ${task.id}`, turn };
  record.recordArchitecture(architectureEntries({ before, after }, by, ledger, project));
}
