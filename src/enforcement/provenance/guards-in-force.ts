import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type RecordingSettings, recordingSettings } from '../../config/project/recording-settings.ts';
import { GuardKitError } from '../../guardkit-error.ts';
import { configureGuards } from '../../guards/configure-guards.ts';
import type { Guard } from '../../guards/guard.ts';
import type { GuardSources } from '../../guards/guard-sources.ts';
import { makeFolder } from '../../platform/files/make-folder.ts';
import { basesAmong, readHead } from '../../platform/git/git-refs.ts';
import { readBlobs, type TreeFiles } from '../../platform/git/git-versions.ts';
import { findTips } from '../../store/ledger/tables/last-seen-refs.ts';
import { type AskedGuard, readAskedGuards } from '../../store/ledger/tables/learned-guards.ts';
import { cacheRead, findLastCached } from '../../store/ledger/tables/read-cache.ts';
import { definitionsInForce } from '../../verification/definition/definitions-in-force.ts';
import {
  type Provenance,
  provenanceStamp,
  readProvenance,
} from '../../verification/definition/provenance.ts';
import { repositoryFolder, type WatchContext } from '../watch/watch-context.ts';

export interface GuardsInForce {
  guards: Guard[];
  /** `protected:` of the configuration. */
  globs: readonly string[];
  /** Faults in the files, one line each. */
  faults: string[];
  /** Some guard asks for evidence. */
  asksForEvidence: boolean;
  recording: RecordingSettings;
  /** `shell:` of the configuration. */
  shell: GuardSources['shell'];
  /** `trust:` of the configuration. */
  trust: GuardSources['trust'];
}

const NO_SOURCES: GuardSources = { settings: {}, globs: [], files: [], faults: [] };

/** The guards of the definitions in force. Asks git only if HEAD or the provenance changed. */
export async function guardsInForce(context: WatchContext): Promise<GuardsInForce> {
  const learned = readAskedGuards(context.ledger, context.project);
  return compiled(await guardSourcesInForce(context), learned);
}

const known = new WeakMap<GuardSources, { learned: string; inForce: GuardsInForce }>();

/** The sources are the same object as long as their text in the ledger is the same. */
function compiled(sources: GuardSources, learned: readonly AskedGuard[]): GuardsInForce {
  const text = JSON.stringify(learned);
  const last = known.get(sources);
  if (last?.learned === text) return last.inForce;
  const made = inForce(sources, learned);
  known.set(sources, { learned: text, inForce: made });
  return made;
}

/** The settings and guard files in force. */
export async function guardSourcesInForce(context: WatchContext): Promise<GuardSources> {
  const { ledger, project, checkout, git } = context;
  const head = readHead(git);
  const key = `guards in force for ${project} in ${checkout}`;
  const known = findLastCached(ledger, key);
  // Only this function writes it, after parsing by schema.
  const last = known?.body as GuardSources | undefined;
  const stamp = `${head ?? 'none'} ${definitionsOrigin(context)}`;
  if (last && known?.stamp === stamp) return last;
  // On a branch without a commit the last definitions apply: an agent can switch to one.
  const sources = head === undefined ? (last ?? NO_SOURCES) : await readAt(context, head, last);
  cacheRead(ledger, key, stamp, sources);
  return sources;
}

/** Changes whenever a version may have become a person's. */
export function definitionsOrigin(context: WatchContext): string {
  const known = findTips(context.ledger, repositoryFolder(context))?.reading.known ?? [];
  const stamp = provenanceStamp(context.ledger, context.project);
  return `${stamp} ${known.length}:${known.at(-1) ?? ''} ${personsHead(context) ?? ''}`;
}

/** Writes the versions in force to a temporary folder and reads them like a project's files. */
async function readAt(
  context: WatchContext,
  head: string,
  last: GuardSources | undefined,
): Promise<GuardSources> {
  const { ledger, project, git } = context;
  const provenance = readProvenance(ledger, project, git.commonDir);
  const found = definitionsInForce(git.gitDir, head, provenance, GUARD_FILES);
  if (!found) throw unreadable(head);
  // In an unrelated history, the last definitions apply until a person accepts new ones.
  if (found.isUnknown && last) return last;
  const kept = keptGuardFiles(context, head, found.files, provenance);
  if (!kept && last) return last;
  const files = new Map([...found.files, ...(kept ?? [])]);
  const blobs = readBlobs(git.gitDir, [...files.values()]);
  const folder = mkdtempSync(join(tmpdir(), 'guardkit-guards-'));
  try {
    for (const [path, blob] of files) {
      const content = blobs.get(blob);
      if (!content) throw unreadable(head);
      makeFolder(dirname(join(folder, path)));
      writeFileSync(join(folder, path), content);
    }
    const { readGuardSources } = await import('../../guards/guard-sources.ts');
    const sources = await readGuardSources(folder, last);
    const faults = sources.faults.map((fault) => ({ ...fault, file: fault.file.replace(`${folder}/`, '') }));
    return { ...sources, faults };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function unreadable(head: string): GuardKitError {
  return new GuardKitError({
    code: 'definitions.unreadable',
    kind: 'outside',
    message: `Git could not read the guards in ${head.slice(0, 10)}.`,
    hint: 'Run `git fsck`; in a partial clone, fetch the missing objects first.',
  });
}

function inForce(
  { settings, globs, files, faults, shell, trust, recording = recordingSettings(undefined) }: GuardSources,
  learned: readonly AskedGuard[],
): GuardsInForce {
  return {
    guards: configureGuards(settings, files, learned),
    globs,
    faults: faults.map(({ file, line, message }) => `${file}:${line}: ${message}`),
    asksForEvidence: files.some(({ definition }) => definition.requires !== undefined),
    recording,
    shell,
    trust,
  };
}

export const GUARD_FILES: readonly string[] = ['.guardkit/config.yaml', '.guardkit/guards'];

/** The commit that a person last checked out; undefined before the first observation. */
export function personsHead(context: WatchContext): string | undefined {
  return findTips(context.ledger, repositoryFolder(context))?.reading.personsHeads?.[context.checkout];
}

/**
 * If an agent has switched to an older commit or another branch, the guard files of the commit that the person checked out
 * stay in force, except those of which the person wrote or accepted the new version later. Undefined if that commit is gone.
 */
export function keptGuardFiles(
  context: WatchContext,
  head: string,
  files: TreeFiles,
  provenance: Provenance | undefined,
): TreeFiles | undefined {
  const { gitDir } = context.git;
  const commit = personsHead(context);
  if (!provenance || commit === undefined || basesAmong(gitDir, [commit], head).includes(commit))
    return new Map();
  const before = definitionsInForce(gitDir, commit, provenance, GUARD_FILES);
  if (!before) return undefined;
  const changed = [...before.files].filter(([path, blob]) => files.get(path) !== blob);
  const now = changed.flatMap(([path]) => files.get(path) ?? []);
  const blobs = readBlobs(gitDir, [...changed.map(([, blob]) => blob), ...now]);
  return new Map(
    changed.filter(
      ([path, blob]) => !provenance.isReplaced(path, blobs.get(blob), blobs.get(files.get(path) ?? '')),
    ),
  );
}
