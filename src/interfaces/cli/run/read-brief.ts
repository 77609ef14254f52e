import { GuardKitError } from '../../../guardkit-error.ts';
import type { RunSettings } from '../../../orchestration/run/run-context.ts';
import { readTreeFile } from '../../../platform/git/git-tree.ts';
import type { Repository } from '../../../platform/git/repository.ts';
import { inputName, readText } from '../input/read-text.ts';
import type { CliContext } from '../program/cli-command.ts';

const MAX_BRIEF_BYTES = 200_000;

/** The file that was named, or the README as it is committed. */
export async function readBrief(
  context: Pick<CliContext, 'cwd' | 'stdin'>,
  repository: Repository,
  base: string,
  named: string | undefined,
): Promise<RunSettings['brief']> {
  if (named !== undefined) return readNamed(context, named);
  const text = await readTreeFile(repository, base, 'README.md');
  if (text === undefined || text.trim() === '') return undefined;
  return { name: 'README.md', text: text.slice(0, MAX_BRIEF_BYTES).toWellFormed() };
}

const HINT = 'Name a text file that says what is to be made.';

async function readNamed(
  context: Pick<CliContext, 'cwd' | 'stdin'>,
  named: string,
): Promise<{ name: string; text: string }> {
  const text = await readText(context, named, { maxBytes: MAX_BRIEF_BYTES, hint: HINT });
  const name = inputName(named);
  const why = text.trim() === '' ? 'says nothing' : text.includes('\0') ? 'is not text' : undefined;
  if (why === undefined) return { name, text };
  throw new GuardKitError({
    code: 'file.unreadable',
    kind: 'input',
    message: `${name} ${why}.`,
    hint: HINT,
  });
}
