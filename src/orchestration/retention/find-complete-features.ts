import { orderTasks } from '../../config/work/find-work.ts';
import type { Work } from '../../config/work/work.ts';
import type { LedgerEntry } from '../../store/ledger/chain/ledger-entry.ts';
import type { Ledger } from '../../store/ledger/ledger.ts';

interface FeatureStory {
  /** The last outcome of each task; a reset deletes it. */
  outcomes: Map<string, string>;
  /** The last attempt's outcome; undefined while it is running. */
  end: string | undefined;
  /** A person merged it, and no build started since. */
  merged: boolean;
}

const KINDS = [
  'build_began',
  'build_ended',
  'task_outcome_recorded',
  'task_reset',
  'feature_completed',
  'feature_discarded',
];

/** Features with every task approved, or merged by a person. */
export function findCompleteFeatures(ledger: Ledger, project: string, work: Work): string[] {
  const stories = readStories(
    KINDS.flatMap((kind) => ledger.entries(project, { kind })).sort((a, b) => a.number - b.number),
  );
  return [...stories].filter(([id, story]) => isComplete(id, story, work)).map(([id]) => id);
}

function isComplete(id: string, { outcomes, end, merged }: FeatureStory, work: Work): boolean {
  if (merged) return true;
  const feature = work.features.find((one) => one.id === id);
  // If its files are gone, only its builds tell.
  if (!feature) return end === 'approved' && [...outcomes.values()].every((ended) => ended === 'approved');
  // A task with an unreadable file still has to be built.
  if (work.faults.some(({ file }) => feature.files.includes(file))) return false;
  return orderTasks(work, feature).every((task) => outcomes.get(task.id) === 'approved');
}

function readStories(entries: readonly LedgerEntry[]): Map<string, FeatureStory> {
  const stories = new Map<string, FeatureStory>();
  for (const { kind, body } of entries) {
    if (kind === 'task_reset') {
      for (const { outcomes } of stories.values()) outcomes.delete(String(body.task_id));
      continue;
    }
    const id = String(body.feature_id);
    const story = stories.get(id) ?? { outcomes: new Map(), end: undefined, merged: false };
    stories.set(id, story);
    switch (kind) {
      case 'build_began':
        story.merged = false;
        story.end = undefined;
        break;
      case 'build_ended':
        story.end = String(body.outcome);
        break;
      case 'task_outcome_recorded':
        story.outcomes.set(String(body.task_id), String(body.outcome));
        break;
      case 'feature_completed':
        story.merged = true;
        break;
      case 'feature_discarded':
        stories.delete(id);
        break;
      default:
        break;
    }
  }
  return stories;
}
