import { join } from 'node:path';
import type { ProjectId } from '../../config/project/project-id.ts';
import { isShape, isText } from '../../domain/json/plain-shape.ts';
import { GuardKitError } from '../../guardkit-error.ts';
import { fileStamp } from '../../platform/files/file-stamp.ts';
import type { GitFolder } from '../../platform/git/git-folder.ts';
import type { Ledger } from '../../store/ledger/ledger.ts';
import { cacheRead, findCached, findLastCached } from '../../store/ledger/tables/read-cache.ts';

const isReading = isShape({ project: isText });

/**
 * The project of a checkout. An agent that is at work cannot move its checkout to another project, where nothing is known
 * of it: while something of a session goes on, the project stays what it was.
 */
export async function projectOf(ledger: Ledger, git: GitFolder, checkout: string): Promise<string> {
  const project = await findProject(ledger, git, checkout);
  if (project.known) return project.id;
  throw new GuardKitError({
    code: 'enforcement.no-project',
    kind: 'refused',
    message: `This checkout’s project is not known: ${project.why}.`,
    hint: project.hint,
  });
}

/** Reads the configuration only where it has changed since somebody asked. */
export async function findProject(ledger: Ledger, git: GitFolder, checkout: string): Promise<ProjectId> {
  const file = join(git.root, '.guardkit', 'config.yaml');
  const key = `project of ${checkout}`;
  const stamp = fileStamp(file);
  const known = findCached(ledger, key, stamp);
  if (isReading(known)) return { known: true, id: known.project };
  const busy = projectAtWork(ledger, checkout);
  if (busy !== undefined) return { known: true, id: busy };
  const { openWorkspace } = await import('../../config/project/workspace.ts');
  const last = findLastCached(ledger, key)?.body;
  let project: ProjectId;
  try {
    ({ project } = await openWorkspace(git.root, {}));
  } catch (error) {
    // A merge with conflicts or a half-saved file leaves the project what it was.
    if (!(error instanceof GuardKitError) || !isReading(last)) throw error;
    return { known: true, id: last.project };
  }
  if (project.known) cacheRead(ledger, key, stamp, { project: project.id });
  return project;
}

/** The project under which something of an agent has begun here and not ended. */
function projectAtWork(ledger: Ledger, checkout: string): string | undefined {
  const { database, attempt } = ledger.file;
  return attempt(() => {
    const found = database
      .prepare('SELECT project FROM windows WHERE checkout = ? LIMIT 1')
      .pluck()
      .get(checkout);
    return found === undefined ? undefined : String(found);
  });
}
