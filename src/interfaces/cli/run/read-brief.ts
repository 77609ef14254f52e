import type { RunSettings } from '../../../orchestration/run/run-context.ts';
import { readTreeFile } from '../../../platform/git-tree.ts';
import type { Repository } from '../../../platform/repository.ts';
import type { CliContext } from '../cli-command.ts';
import { readText } from '../read-text.ts';

const MAX_BRIEF_BYTES = 200_000;

/** The file that was named, or the README as it is committed. */
export async function readBrief(
  context: Pick<CliContext, 'cwd' | 'stdin'>,
  repository: Repository,
  base: string,
  named: string | undefined,
): Promise<RunSettings['brief']> {
  if (named !== undefined) {
    const hint = 'Name a text file that says what is to be made.';
    return { name: named, text: await readText(context, named, { maxBytes: MAX_BRIEF_BYTES, hint }) };
  }
  const text = await readTreeFile(repository, base, 'README.md');
  if (text === undefined || text.trim() === '') return undefined;
  return { name: 'README.md', text: text.slice(0, MAX_BRIEF_BYTES).toWellFormed() };
}
