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
  /** Whether the episode store has to be told of it. */
  forStore: boolean;
}

/** An entry that is only looked at beforehand is in no ledger yet. */
const UNNUMBERED = '0'.repeat(32);

/** Everything about an entry that can be settled before it has its number: validated, scrubbed, and fit for memory. */
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
  // What readers will get: a text that grew when it was scrubbed may no longer fit, and is found out here.
  const stored = parseBody(kind, JSON.parse(bodyJson));
  // The number is given under the lock, where taking a long text apart would hold up the other writers.
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
    message: `"${project.slice(0, 80)}" is not a legal project id.`,
    hint: 'A project id is up to 100 letters, digits and . _ - without double underscores, such as shop-4f2a.',
  });
}

function parseBody(kind: EntryKind, body: unknown): JsonObject {
  const parsed = kind.schema.safeParse(body);
  if (parsed.success) return parsed.data;
  throw new GuardKitError({
    code: 'ledger.invalid-body',
    kind: 'input',
    message: `The body does not fit ${kind.kind}:\n${describeIssues(parsed.error)}`,
    hint: 'Correct these fields; nothing was written.',
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
