import type { Feature } from '../../../domain/entities/feature.ts';
import { type LastBuild, waitingBuilds } from '../../../orchestration/feature-build/last-builds.ts';
import { shellWord } from '../../../platform/processes/shell-word.ts';
import type { StatusAnswer, Waiting } from './schemas.ts';

export interface WaitingFacts {
  /** Null without a checkout on this machine. */
  status: StatusAnswer | null;
  features: readonly Feature[];
  builds: ReadonlyMap<string, LastBuild>;
  /** Features that are being built. */
  running: ReadonlySet<string>;
  /** Why the attestation of the current commit is not valid. */
  attestation: { commit: string; why: string } | undefined;
  /** Learned guards that do not refuse yet. */
  proposed: readonly { id: string; summary: string }[];
}

/** What only a person can decide, the most urgent first, each with the command to run. */
export function whatWaits({
  status,
  features,
  builds,
  running,
  attestation,
  proposed,
}: WaitingFacts): Waiting[] {
  const blocked = features.filter((one) => one.status === 'blocked');
  const ended = waitingBuilds(builds, features, running);
  return [
    ...blocked.map((one) => ({
      kind: 'blocked' as const,
      feature: one.id,
      title: one.name || one.id,
      text: one.blocked_reason ?? '',
      at: builds.get(one.id)?.at ?? null,
      command: `guardkit feature unblock ${one.id} --reason "…"`,
    })),
    ...definitions(status),
    ...ended
      .filter(([, { outcome }]) => outcome !== 'approved' && outcome !== 'cancelled')
      .map(([id, { outcome, why, at }]) => ({
        kind: 'stopped' as const,
        feature: id,
        title: id,
        text: `${outcome.replace('_', ' ')}: ${why}`,
        at,
        command: `guardkit feature-build ${id} --resume`,
      })),
    ...ended
      .filter(([, { outcome }]) => outcome === 'approved')
      .map(([id, { why, at }]) => ({
        kind: 'review' as const,
        feature: id,
        title: id,
        text: why,
        at,
        command: `guardkit feature complete ${id}`,
      })),
    ...(attestation
      ? [
          {
            kind: 'attestation' as const,
            feature: null,
            title: `Attestation of ${attestation.commit.slice(0, 12)}`,
            text: `Not valid: ${attestation.why}.`,
            at: null,
            command: 'guardkit attest --check HEAD --trust FILE',
          },
        ]
      : []),
    ...proposed.map(({ id, summary }) => ({
      kind: 'guard' as const,
      feature: null,
      title: id,
      text: summary,
      at: null,
      command: `guardkit guard promote ${id}`,
    })),
    ...protection(status),
  ];
}

function definitions(status: StatusAnswer | null): Waiting[] {
  return (status?.pending ?? []).map(({ path, change, needs }) => ({
    kind: 'definition' as const,
    feature: null,
    title: path,
    text:
      needs === 'acceptance'
        ? `${change}, perhaps by an agent; without effect`
        : `${change} by you, not committed`,
    at: null,
    command:
      needs === 'acceptance'
        ? `guardkit accept ${shellWord(path)}`
        : // Git commits a new file by its path only once it is added.
          `git add -- ${shellWord(path)} && git commit -- ${shellWord(path)}`,
  }));
}

function protection(status: StatusAnswer | null): Waiting[] {
  if (!status) return [];
  const { protection: found, changes, restored } = status;
  const of = (title: string, text: string, command: string): Waiting => ({
    kind: 'protection',
    feature: null,
    title,
    text,
    at: null,
    command,
  });
  return [
    ...(found.paused ? [of('Protection is paused', `by ${found.paused.by}`, 'guardkit resume')] : []),
    ...(found.improve === null ? [] : [of('Protection is incomplete', found.why ?? '', found.improve)]),
    ...(changes.length > 0
      ? [
          of(
            'Changed settings and hooks',
            [...new Set(changes.map(({ path }) => path))].join(', '),
            'guardkit status',
          ),
        ]
      : []),
    ...(restored > 0 ? [of('Restored files', `${restored} in the last 24 hours`, 'guardkit restore')] : []),
  ];
}
