import type { RetentionLimits } from './retention-limits.ts';

/** A turn that memory holds, of a feature that is complete. */
export interface KeptTurn {
  id: string;
  feature: string;
  task: string;
  number: number;
  /** When it was made. */
  at: string;
}

/**
 * Which turns memory lets go, oldest first. Only those of complete features are given, so that work in progress counts
 * towards a project's limit and never goes, even over it.
 */
export function choosePrunableTurns(
  turns: readonly KeptTurn[],
  /** Of the project, those in progress included. */
  total: number,
  { perFeature, perProject }: RetentionLimits,
): KeptTurn[] {
  const oldestFirst = [...turns].sort(byAge);
  const left = new Map<string, number>();
  for (const { feature } of turns) left.set(feature, (left.get(feature) ?? 0) + 1);
  const chosen = new Set<KeptTurn>();
  for (const turn of oldestFirst) {
    const count = left.get(turn.feature) ?? 0;
    if (count <= perFeature) continue;
    chosen.add(turn);
    left.set(turn.feature, count - 1);
  }
  for (const turn of oldestFirst) {
    if (total - chosen.size <= perProject) break;
    chosen.add(turn);
  }
  return oldestFirst.filter((turn) => chosen.has(turn));
}

function byAge(a: KeptTurn, b: KeptTurn): number {
  if (a.at !== b.at) return a.at < b.at ? -1 : 1;
  if (a.number !== b.number) return a.number - b.number;
  return a.id < b.id ? -1 : 1;
}
