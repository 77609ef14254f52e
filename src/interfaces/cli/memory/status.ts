import { existsSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import type { Workspace } from '../../../config/project/workspace.ts';
import { GROUPS, projectGroup } from '../../../domain/entities/group.ts';
import type { GroupCount, StoreInfo } from '../../../store/episode-store.ts';
import type { OutboxStatus } from '../../../store/ledger/outbox/outbox.ts';
import { formatBytes, plural } from '../output/printable.ts';
import { defineCommand } from '../program/cli-command.ts';

interface HeadedCount {
  heading: string;
  name: string;
  group: string;
  episodes: number;
}

export const status = defineCommand({
  name: 'status',
  summary: 'Show the memory store and its health',
  schema: z.object({ verbose: z.boolean().default(false) }),
  async run(context, { verbose }) {
    const workspace = await context.workspace();
    const store = await context.store();
    const info = await store.info();
    const counts = headedCounts(workspace, await store.counts());
    const outbox = await readOutbox(workspace.home);
    const { project } = workspace;
    return {
      json: {
        backend: info.backend,
        location: info.location,
        size_bytes: info.sizeBytes,
        schema_version: info.schemaVersion,
        embeddings: info.embeddings,
        outbox,
        project: project.known ? project.id : null,
        episodes: total(counts),
        ...(verbose ? { groups: counts } : {}),
      },
      text: [
        ...describeStore(info, outbox),
        ...describeProject(workspace),
        `Episodes:    ${total(counts)}`,
        ...(verbose ? describeCounts(counts) : []),
      ].join('\n'),
    };
  },
});

/** Null without a ledger: a read must not create one. */
async function readOutbox(home: string): Promise<OutboxStatus | null> {
  const path = join(home, 'ledger.db');
  if (!existsSync(path)) return null;
  const { openLedger } = await import('../../../store/ledger/open-ledger.ts');
  const ledger = openLedger({ path });
  try {
    return ledger.outbox.status();
  } finally {
    ledger.close();
  }
}

/** Groups shown even when empty. */
function headedCounts({ project }: Workspace, counts: readonly GroupCount[]): HeadedCount[] {
  const byGroup = new Map(counts.map(({ group, episodes }) => [group, episodes]));
  return GROUPS.flatMap(({ name, scope, heading }) => {
    if (scope === 'project' && !project.known) return [];
    const group = scope === 'project' && project.known ? projectGroup(project.id, name) : name;
    return [{ heading, name, group, episodes: byGroup.get(group) ?? 0 }];
  });
}

function describeStore(info: StoreInfo, outbox: OutboxStatus | null): string[] {
  const { embeddings } = info;
  return [
    `Backend:     ${info.backend === 'sqlite' ? 'SQLite' : 'PostgreSQL'}`,
    `${info.backend === 'sqlite' ? 'File:   ' : 'Server: '}     ${info.location}`,
    `Size:        ${formatBytes(info.sizeBytes)}, schema version ${info.schemaVersion}`,
    `Embeddings:  ${
      embeddings.enabled
        ? `on (${embeddings.model}): ${embeddings.embedded} embedded, ${embeddings.pending} to do`
        : 'off: keyword search only'
    }`,
    `Outbox:      ${describeOutbox(outbox)}`,
  ];
}

function describeOutbox(outbox: OutboxStatus | null): string {
  if (!outbox) return 'no ledger yet';
  const waiting =
    outbox.pending === 0 ? 'empty' : `${plural(outbox.pending, 'entry', 'entries')} waiting for the store`;
  return outbox.refused === 0 ? waiting : `${waiting}; ${outbox.refused} refused by the store`;
}

function describeProject({ project }: Workspace): string[] {
  if (project.known) return [`Project:     ${project.id}`];
  return [`Project:     none: ${project.why}`, `             ${project.hint}`];
}

function total(counts: readonly HeadedCount[]): number {
  return counts.reduce((sum, { episodes }) => sum + episodes, 0);
}

function describeCounts(counts: readonly HeadedCount[]): string[] {
  const headings = [...new Set(counts.map(({ heading }) => heading))];
  return headings.flatMap((heading) => [
    '',
    `${heading}:`,
    ...counts
      .filter((one) => one.heading === heading)
      .map(({ name, episodes }) => `  • ${name}: ${episodes}`),
  ]);
}
