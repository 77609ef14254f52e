import { randomBytes } from 'node:crypto';
import { GuardKitError } from '../../guardkit-error.ts';
import type { Session } from '../postgres/postgres-database.ts';

/** A project that workers build. */
export interface SharedProject {
  project: string;
  chain: string;
  identity: string;
  branch: string;
  base: string;
  tip: string;
  budget_usd: number | null;
  number: number;
  hash: string;
}

const COLUMNS = 'project, chain, identity, branch, base, tip, budget_usd, number, hash';

export async function findSharedProject(
  session: Session,
  project: string,
): Promise<SharedProject | undefined> {
  const [row] = await session.query<SharedProject>({
    text: `SELECT ${COLUMNS} FROM guardkit_queue.project WHERE project = ?`,
    values: [project],
  });
  return row;
}

/** The project, if the repository is the one that it was set up with. */
export async function requireSharedProject(
  session: Session,
  project: string,
  identity: string,
): Promise<SharedProject> {
  const found = await findSharedProject(session, project);
  if (!found)
    throw new GuardKitError({
      code: 'queue.unknown-project',
      kind: 'input',
      message: `The project ${project} is not set up in this queue.`,
      hint: 'Run `guardkit queue init` once, in the project.',
    });
  if (found.identity === identity) return found;
  throw otherRepository(project);
}

/** Adds a project whose features are stacked on `branch` from `base`. */
export async function addSharedProject(
  session: Session,
  added: Pick<SharedProject, 'project' | 'identity' | 'branch' | 'base'>,
): Promise<SharedProject> {
  const { project, identity, branch, base } = added;
  await session.query({
    text: `INSERT INTO guardkit_queue.project (project, chain, identity, branch, base, tip)
      VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (project) DO NOTHING`,
    values: [project, randomBytes(16).toString('hex'), identity, branch, base, base],
  });
  return requireSharedProject(session, project, identity);
}

/** Moves the tip to a commit that has it, unless somebody moved it first. */
export async function advanceTip(
  session: Session,
  project: string,
  { from, to }: { from: string; to: string },
): Promise<boolean> {
  const rows = await session.query({
    text: 'UPDATE guardkit_queue.project SET tip = ? WHERE project = ? AND tip = ? RETURNING tip',
    values: [to, project, from],
  });
  return rows.length > 0;
}

function otherRepository(project: string): GuardKitError {
  return new GuardKitError({
    code: 'queue.other-repository',
    kind: 'input',
    message: `Another repository uses the project id ${project} in this queue.`,
    hint: 'Give this one its own id: change `project:` in .guardkit/config.yaml, and commit it.',
  });
}

/** Null for no limit. */
export async function setBudget(session: Session, project: string, usd: number | null): Promise<void> {
  await session.query({
    text: 'UPDATE guardkit_queue.project SET budget_usd = ? WHERE project = ?',
    values: [usd, project],
  });
}
