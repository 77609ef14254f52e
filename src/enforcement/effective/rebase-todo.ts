import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isListOf, isShape, isText } from '../../domain/json/plain-shape.ts';
import type { FileRestored } from '../../store/ledger/kinds/protection/file-restored.ts';
import { cacheRead, findLastCached } from '../../store/ledger/tables/read-cache.ts';
import { type EndedAction, watchTables } from '../actions/open-actions.ts';
import type { HookSource } from '../hooks/hook-event.ts';
import { contentHash } from '../restore/file-state.ts';
import { keepVersion } from '../restore/keep-version.ts';
import { writeVersion } from '../restore/write-version.ts';
import type { WatchContext } from '../watch/watch-context.ts';
import { isWithin } from './change-time.ts';
import type { RestoredFile } from './restore-file.ts';

/** `exec` commands left in an unfinished rebase, by who added them. */
interface RebaseCommands {
  persons: string[];
  agents: string[];
}

const isKnown = isShape({ persons: isListOf(isText), agents: isListOf(isText) });
const NONE: RebaseCommands = { persons: [], agents: [] };
const TODO = join('rebase-merge', 'git-rebase-todo');
const COMMAND = /^\s*(?:exec|x)\s+\S/;
const MAX_BYTES = 1024 * 1024;

/**
 * Watches unfinished rebases. Commands that an agent added would run with the person's rights as soon as the person
 * continues the rebase, so they are removed when the agent leaves.
 */
export function watchRebases(
  context: WatchContext,
  { ended, leaving }: { ended: readonly EndedAction[]; leaving: HookSource | undefined },
): RestoredFile[] {
  return gitFolders(context).flatMap((folder) => {
    const file = join(folder, TODO);
    const stat = lstatSync(file, { throwIfNoEntry: false });
    if (!stat?.isFile() || stat.size > MAX_BYTES) return [];
    const text = readFileSync(file, 'utf8');
    const commands = noteCommands(context, file, text, isByAgent(stat.ctimeMs, ended));
    const left = text.split('\n').filter((line) => commands.agents.includes(line.trim()));
    if (left.length === 0 || !leaving) return [];
    return [removeCommands(context, file, { text, left, mode: stat.mode & 0o777, agent: leaving })];
  });
}

/** The repository's own folder, and those of its other checkouts. */
function gitFolders({ git }: WatchContext): string[] {
  const worktrees = join(git.commonDir, 'worktrees');
  // An exception takes longer than the rest.
  if (!existsSync(worktrees)) return [git.commonDir];
  try {
    return [git.commonDir, ...readdirSync(worktrees).map((name) => join(worktrees, name))];
  } catch {
    // Safe: there are no other checkouts.
    return [git.commonDir];
  }
}

function isByAgent(changedAt: number, ended: readonly EndedAction[]): boolean {
  return ended.some(({ action, span }) => action.body.runs && isWithin(changedAt, span));
}

function noteCommands(context: WatchContext, file: string, text: string, byAgent: boolean): RebaseCommands {
  const found = text.split('\n').filter((line) => COMMAND.test(line));
  const lines = found.map((line) => line.trim());
  const key = `commands of the rebase ${file}`;
  const last = findLastCached(context.ledger, key)?.body;
  const known = isKnown(last) ? last : NONE;
  const unknown = lines.filter((line) => !known.persons.includes(line) && !known.agents.includes(line));
  const now: RebaseCommands = {
    persons: [...known.persons.filter((line) => lines.includes(line)), ...(byAgent ? [] : unknown)],
    agents: [...known.agents.filter((line) => lines.includes(line)), ...(byAgent ? unknown : [])],
  };
  if (JSON.stringify(now) !== JSON.stringify(known)) cacheRead(context.ledger, key, '', now);
  return now;
}

interface LeftRebase {
  text: string;
  /** The lines to remove. */
  left: readonly string[];
  mode: number;
  agent: HookSource;
}

function removeCommands(
  context: WatchContext,
  file: string,
  { text, left, mode, agent }: LeftRebase,
): RestoredFile {
  const { ledger, project, dataFolder, checkout } = context;
  const kept = text.split('\n').filter((line) => !left.includes(line));
  const content = Buffer.from(kept.join('\n'));
  const what = `had commands added (${left.map((line) => line.trim()).join('; ')})`.slice(0, 300);
  watchTables(ledger).exclusively(() => {
    const replaced = keepVersion(
      { dataFolder, project },
      { absolute: file, shown: file, mode, content: Buffer.from(text) },
    );
    ledger.append(project, 'file_restored', {
      path: file,
      absolute: file,
      checkout,
      session: agent.session,
      agent: agent.agent,
      agent_type: agent.actorType ?? null,
      action: null,
      reason: 'rebase-todo',
      what,
      found_hash: replaced.hash,
      found_mode: mode,
      quarantined: replaced.quarantined,
      restored_hash: contentHash(content),
      restored_mode: mode,
      during: 'an unfinished rebase',
    } satisfies FileRestored);
  });
  try {
    writeVersion(file, { kind: 'file', content, mode });
    return { path: file, what, isNew: false, failure: undefined };
  } catch (error) {
    return {
      path: file,
      what,
      isNew: false,
      failure: error instanceof Error ? error.message : String(error),
    };
  }
}
