import { isAbsolute, join, relative } from 'node:path';
import type { Workspace } from '../../config/project/workspace.ts';
import { guardkitHome } from '../../platform/guardkit-home.ts';
import type { Ledger } from '../../store/ledger/ledger.ts';
import { deliverToMemory } from '../../store/ledger/outbox/deliver-to-memory.ts';
import type { GraphChange } from '../validation/judge-change.ts';
import { architectureEntries } from './architecture-entries.ts';

/** Dependencies for recording a change. */
export interface RecordingContext {
  env: NodeJS.ProcessEnv;
  workspace(): Promise<Workspace>;
  ledger(): Promise<Ledger>;
}

export interface RecordedUpdate {
  recorded: boolean;
  notices: string[];
}

/** Records a change of the graph. A failure becomes a notice, since the file is already written. */
export async function recordUpdate(
  context: RecordingContext,
  { root, worktrees }: { root: string; worktrees: string | undefined },
  change: GraphChange,
  by: 'guardkit knowledge update' | 'guardkit knowledge fix' | 'knowledge_update',
): Promise<RecordedUpdate> {
  // Changes by a build's agent are recorded when its turn is approved.
  if (isIn(root, worktrees ?? join(guardkitHome(context.env), 'worktrees')))
    return { recorded: false, notices: [] };
  try {
    const { project } = await context.workspace();
    if (!project.known) return unrecorded(`${project.why}.`);
    const ledger = await context.ledger();
    const entries = architectureEntries(change, { changed_by: by, turn: null }, ledger, project.id);
    if (entries.length > 0) ledger.appendMany(project.id, entries);
    return { recorded: entries.length > 0, notices: [] };
  } catch (error) {
    // Safe: the file is authoritative, and only the history lacks this change.
    return unrecorded(error instanceof Error ? error.message : String(error));
  }
}

function unrecorded(why: string): RecordedUpdate {
  return { recorded: false, notices: [`The change was not recorded in the history: ${why}`] };
}

/** Delivers recorded changes to memory, if it is reachable; returns notices for the person. */
export async function remember(
  context: RecordingContext,
  { recorded, notices }: RecordedUpdate,
): Promise<string[]> {
  if (!recorded) return notices;
  const { store } = await context.workspace();
  const memory = await deliverToMemory(await context.ledger(), store);
  return memory === undefined ? notices : [...notices, memory];
}

function isIn(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way !== '' && !way.startsWith('..') && !isAbsolute(way);
}
