import type { ArchitectureNodeEpisode } from '../../domain/entities/architecture-node.ts';
import type { ArchitectureRecorded } from '../../store/ledger/kinds/memory/architecture-recorded.ts';
import type { Ledger } from '../../store/ledger/ledger.ts';
import type { GraphChange } from '../validation/judge-change.ts';
import { changedNodes } from './changed-nodes.ts';

/** An entry holds at most a megabyte, and grows where secrets are taken out of it. */
const LONGEST_ENTRY = 400_000;
/** As many as a graph is made for; what lies beyond is in the file. */
const MOST_NODES = 5000;

export interface ArchitectureEntry {
  kind: 'architecture_recorded';
  body: ArchitectureRecorded;
}

/** What the ledger is told of a change of the graph; the first time of all of it, so that memory has it whole. */
export function architectureEntries(
  { before, after }: GraphChange,
  by: Pick<ArchitectureNodeEpisode, 'changed_by' | 'turn'>,
  ledger: Pick<Ledger, 'entries'>,
  project: string,
): ArchitectureEntry[] {
  if (before === after) return [];
  const isFirst = ledger.entries(project, { kind: 'architecture_recorded', limit: 1 }).length === 0;
  const nodes = changedNodes({ before: isFirst ? undefined : before, after }, by).slice(0, MOST_NODES);
  const entries: ArchitectureEntry[] = [];
  let room = 0;
  for (const node of nodes) {
    const length = JSON.stringify(node).length;
    if (length > room) {
      entries.push({ kind: 'architecture_recorded', body: { nodes: [] } });
      room = LONGEST_ENTRY;
    }
    entries.at(-1)?.body.nodes.push(node);
    room -= length;
  }
  return entries;
}
