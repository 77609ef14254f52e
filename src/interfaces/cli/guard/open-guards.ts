import { relative } from 'node:path';
import type { Workspace } from '../../../config/project/workspace.ts';
import { formatFault } from '../../../config/yaml/yaml-file.ts';
import type { LearnedGuard } from '../../../domain/entities/learned-guard.ts';
import { didYouMean, nearestWord } from '../../../domain/nearest-word.ts';
import type { WatchContext } from '../../../enforcement/watch/watch-context.ts';
import { GuardKitError } from '../../../guardkit-error.ts';
import { configureGuards } from '../../../guards/configure-guards.ts';
import type { Guard } from '../../../guards/guard.ts';
import { type GuardSources, readGuardSources } from '../../../guards/guard-sources.ts';
import { systemClock } from '../../../platform/clock.ts';
import { findGitFolder } from '../../../platform/git/git-folder.ts';
import { readLearnedGuards } from '../../../store/ledger/tables/learned-guards.ts';
import type { CliContext } from '../program/cli-command.ts';
import { openWatchContext } from '../protection/own-files.ts';

/** A guard whose definition or setting in the working files is not in force yet. */
export interface PendingGuard {
  id: string;
  /** Null if there is no such guard. */
  in_force: string | null;
  pending: string | null;
}

export interface OpenGuards {
  root: string;
  sources: GuardSources;
  guards: Guard[];
  /** Learned guards, including retired ones. */
  learned: readonly LearnedGuard[];
  /** Faults to fix, one line each. */
  faults: string[];
  /** Empty for the guards of the working files. */
  pending: PendingGuard[];
}

/** The guards of the project that a command runs in. */
export async function openGuards(context: CliContext): Promise<OpenGuards> {
  const root = findGitFolder(context.cwd)?.root;
  if (root === undefined) throw notInProject();
  const sources = await readGuardSources(root);
  const learned = await learnedGuards(context);
  return {
    root,
    sources,
    learned,
    guards: configureGuards(sources.settings, sources.files, learned),
    faults: sources.faults.map((fault) => `✗ ${formatFault({ ...fault, file: relative(root, fault.file) })}`),
    pending: [],
  };
}

/** The guards that hooks use; the working files differ from them until they are committed or accepted. */
export async function openGuardsInForce(context: CliContext): Promise<OpenGuards> {
  const working = await openGuards(context);
  const watch = await placeOf(context);
  // Without a ledger no hook is installed, and nothing is in force.
  if (!watch) return working;
  const { guardSourcesInForce } = await import('../../../enforcement/provenance/guards-in-force.ts');
  const sources = await guardSourcesInForce(watch);
  const guards = configureGuards(sources.settings, sources.files, working.learned);
  return { ...working, sources, guards, pending: differing(guards, working.guards) };
}

/** Faults of the configuration are reported with those of the guards. */
async function placeOf(context: CliContext): Promise<WatchContext | undefined> {
  try {
    return await openWatchContext(context);
  } catch (error) {
    if (error instanceof GuardKitError && error.kind === 'input') return undefined;
    throw error;
  }
}

function differing(inForce: readonly Guard[], working: readonly Guard[]): PendingGuard[] {
  const acts = (guards: readonly Guard[], id: string) => {
    const guard = guards.find((one) => one.id === id);
    return guard ? `${guard.mode}${guard.drivenOnly ? ', driven' : ''}` : null;
  };
  return [...new Set([...inForce, ...working].map(({ id }) => id))]
    .map((id) => ({ id, in_force: acts(inForce, id), pending: acts(working, id) }))
    .filter(({ in_force, pending }) => in_force !== pending);
}

/** A line for each guard that changes when the working files take effect. */
export function describePendingGuards(pending: readonly PendingGuard[]): string[] {
  return pending.map(
    ({ id, in_force, pending: next }) =>
      `pending: ${id} ${in_force ?? 'none'} → ${next ?? 'removed'}; commit it, or run \`guardkit accept\` if an agent may have written it`,
  );
}

/** An unknown project has no learned guards. */
async function learnedGuards(context: CliContext): Promise<LearnedGuard[]> {
  let project: Workspace['project'];
  try {
    ({ project } = await context.workspace());
  } catch (error) {
    // Safe: the guards' faults include those of the configuration.
    if (error instanceof GuardKitError && error.kind === 'input') return [];
    throw error;
  }
  return project.known ? readLearnedGuards(await context.ledger(), project.id) : [];
}

export function requireGuard(guards: readonly Guard[], id: string): Guard {
  const found = guards.find((guard) => guard.id === id);
  if (found) return found;
  const known = guards.map((guard) => guard.id);
  const near = nearestWord(id, known);
  throw new GuardKitError({
    code: 'guard.unknown',
    kind: 'input',
    message: `There is no guard "${id.slice(0, 80)}".`,
    hint: didYouMean(near, '') || `Guards: ${known.join(', ')}.`,
  });
}

/** For output: its mode and origin. */
export function guardJson(guard: Guard, { sources, learned }: Pick<OpenGuards, 'sources' | 'learned'>) {
  const file = sources.files.find(({ definition }) => definition.id === guard.id);
  return {
    id: guard.id,
    summary: guard.summary,
    origin: guard.origin,
    mode: guard.mode,
    sessions: guard.drivenOnly ? 'driven' : 'all',
    kinds: guard.kinds,
    expires: guard.expires ?? null,
    expired: guard.expires !== undefined && Date.parse(guard.expires) <= systemClock(),
    file: file?.file ?? null,
    stale: file?.stale ?? false,
    pattern:
      guard.origin === 'learned'
        ? (learned.find((one) => one.guard_id === guard.id)?.pattern_id ?? null)
        : null,
  };
}

function notInProject(): GuardKitError {
  return new GuardKitError({
    code: 'project.unknown',
    kind: 'input',
    message: 'This folder is not in a git repository, so it has no guards.',
    hint: 'Run the command inside the project.',
  });
}
