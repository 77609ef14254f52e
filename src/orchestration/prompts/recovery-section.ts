import { oneLine } from '../../domain/json/clean-text.ts';
import type { PathChange } from '../../platform/git/git-tree.ts';
import { linesSection, type PromptSection } from './prompt-section.ts';

/** The state of a worktree from an earlier run. */
export interface Recovery {
  /** The turn that was cut off, if any. */
  unfinishedTurn: number | undefined;
  /** The last commit in the worktree, as `hash subject`. */
  head: string;
  /** Everything that differs from the base. */
  committed: readonly PathChange[];
  /** Uncommitted changes. */
  uncommitted: readonly PathChange[];
}

const HEADING = '## Recovery: Files on Disk';

/** Lists the changes on disk for a Player that did not make them. */
export function recoverySection(recovery: Recovery): PromptSection {
  const { unfinishedTurn, head, committed, uncommitted } = recovery;
  const begun = unfinishedTurn === undefined ? 'An earlier run ended' : `Turn ${unfinishedTurn} was cut off`;
  const heading = [
    HEADING,
    `${begun}. Read the existing work before you change it. Keep what is right; fix or remove what is unfinished.`,
    `Last commit: ${oneLine(head, 200)}`,
    committed.length === 0 ? 'Nothing differs from the base.' : `Differs from the base: ${count(committed)}.`,
    uncommitted.length === 0 ? 'Nothing is uncommitted.' : `Uncommitted: ${count(uncommitted)}.`,
  ].join('\n');
  const open = new Set(uncommitted.map(({ path }) => path));
  const lines = [
    ...uncommitted.map(({ path, change }) => `- ${change}, uncommitted: ${oneLine(path, 300)}`),
    ...committed
      .filter(({ path }) => !open.has(path))
      .map(({ path, change }) => `- ${change}: ${oneLine(path, 300)}`),
  ];
  const section = linesSection('recovery', heading, lines, { priority: 80 });
  return lines.length > 0 ? section : { ...section, render: () => ({ text: heading, leftOut: [] }) };
}

function count(changes: readonly PathChange[]): string {
  return `${changes.length} ${changes.length === 1 ? 'file' : 'files'}`;
}
