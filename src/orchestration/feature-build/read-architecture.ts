import { GRAPH_PATH } from '../../architecture/file/graph-file.ts';
import { readGraph } from '../../architecture/graph/read-graph.ts';
import { readTreeFile } from '../../platform/git/git-tree.ts';
import type { PromptArchitecture } from '../prompts/architecture-section.ts';
import type { TaskContext } from './build-context.ts';

/** What is looked through for names of files; a task that says more has said it by then. */
const LONGEST_TEXT = 100_000;
const MOST_FILES = 200;

/**
 * The graph as a commit has it, and what of it a task is about; undefined where there is none. From git and not from
 * the folder, which an agent may have put a link into.
 */
export async function readArchitecture(
  { repository, task, taskText, criteria }: TaskContext,
  commit: string,
  { plan = '', files = [] }: { plan?: string; files?: readonly string[] } = {},
): Promise<PromptArchitecture | undefined> {
  const written = await readTreeFile(repository, commit, GRAPH_PATH);
  if (written === undefined) return undefined;
  const said = [task.title, taskText, ...criteria.map(({ text }) => text), plan].join('\n');
  const text = said.slice(0, LONGEST_TEXT);
  return {
    graph: readGraph(written),
    text,
    files: [...new Set([...files, ...filesNamed(text)])].slice(0, MOST_FILES),
  };
}

/** Words that look like paths. */
function filesNamed(text: string): string[] {
  return text
    .split(/[\s`'"()[\]{}<>,;|*]+/)
    .map((word) => word.replace(/^\.\//, '').replace(/[.:]$/, ''))
    .filter((word) => word.length <= 300 && /[^/]\/[^/]|\.[a-z]{1,5}$/i.test(word));
}
