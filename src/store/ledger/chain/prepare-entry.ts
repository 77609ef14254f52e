import type { EntityRegistry } from '../../../domain/entities/entity-type.ts';
import { isProjectId } from '../../../domain/entities/group.ts';
import { describeIssues } from '../../../domain/json/describe-issues.ts';
import type { JsonObject } from '../../../domain/json/json.ts';
import { GuardKitError } from '../../../guardkit-error.ts';
import { MAX_BODY_BYTES, prepareEpisode } from '../../prepare-episode.ts';
import { scrubBody } from '../../scrub-body.ts';
import type { EntryKind } from './entry-kind.ts';

export interface PreparedEntry {
  kind: string;
  bodyJson: string;
  /** Whether it goes to the episode store. */
  forStore: boolean;
}

/** During validation an entry is not in a ledger yet. */
const UNNUMBERED = '0'.repeat(32);

/** Prepares everything about an entry that does not need its number: validated, scrubbed, and valid for memory. */
export function prepareEntry(
  project: string,
  kind: EntryKind,
  body: unknown,
  now: number,
  entityTypes: EntityRegistry,
): PreparedEntry {
  const parsed = parseBody(kind, body);
  assertSize(kind, JSON.stringify(parsed));
  const bodyJson = JSON.stringify(scrubBody(parsed, kind.freeText));
  assertSize(kind, bodyJson);
  // As readers will get it: scrubbing may have made a text too long.
  const stored = parseBody(kind, JSON.parse(bodyJson));
  // Checked before the number is assigned: that happens under the lock, where a long text would delay other writers.
  const entry = { ledger: UNNUMBERED, project, number: 1, at: new Date(now).toISOString(), body: stored };
  const episodes = kind.episodes?.(entry) ?? [];
  for (const episode of episodes) prepareEpisode(episode, entityTypes);
  return { kind: kind.kind, bodyJson, forStore: episodes.length > 0 };
}

export function assertProject(project: string): void {
  if (isProjectId(project)) return;
  throw new GuardKitError({
    code: 'ledger.illegal-project',
    kind: 'input',
    message: `Invalid project id "${project.slice(0, 80)}".`,
    hint: 'Use at most 100 letters, digits and . _ - without double underscores, such as shop-4f2a.',
  });
}

function parseBody(kind: EntryKind, body: unknown): JsonObject {
  const parsed = kind.schema.safeParse(body);
  if (parsed.success) return parsed.data;
  throw new GuardKitError({
    code: 'ledger.invalid-body',
    kind: 'input',
    message: `Invalid ${kind.kind}:\n${describeIssues(parsed.error)}`,
    hint: 'Fix these fields; nothing was written.',
  });
}

function assertSize(kind: EntryKind, bodyJson: string): void {
  const bytes = Buffer.byteLength(bodyJson);
  if (bytes <= MAX_BODY_BYTES) return;
  throw new GuardKitError({
    code: 'ledger.too-large',
    kind: 'input',
    message: `The body of this ${kind.kind} is ${(bytes / 1_000_000).toFixed(1)} MB; at most 1 MB is recorded.`,
    hint: 'Keep the large part in a file and record its path and a summary.',
  });
}
