import { readWork } from '../../config/work/read-work.ts';
import type { Work } from '../../config/work/work.ts';
import { didYouMean, nearestWord } from '../../domain/nearest-word.ts';
import { GuardKitError } from '../../guardkit-error.ts';
import type { Base } from './find-base.ts';

interface Asked {
  id: string;
  base: Base;
  /** What the base has. */
  onBase: Work | undefined;
  /** The checkout, which may have what the base has not. */
  root: string;
  /** Features that the list has. */
  listed: readonly string[];
}

/** The base has no such feature or task: says what the checkout has of it, and how that gets there. */
export async function unknownOnBase(asked: Asked): Promise<GuardKitError> {
  const { id, base, onBase, root, listed } = asked;
  const where = `the base ${base.commit.slice(0, 10)} (${base.why})`;
  const told = id.slice(0, 80);
  const here = await readWork(root);
  const files = filesOf(here, id);
  if (files.length > 0) {
    const paths = files.join(' ');
    return unknown(
      `There is no feature or task ${told} on ${where}, only in this checkout: ${files.join(', ')}.`,
      `Definitions are read from the base, so that no agent changes what it is judged by. Commit it: \`git add ${paths} && git commit\`; or stand by it uncommitted: \`guardkit accept ${files[0]}\`.`,
    );
  }
  const known = new Set([...idsOf(onBase), ...idsOf(here), ...listed]);
  const near = nearestWord(id, [...known]);
  return unknown(
    `There is no feature or task ${told} on ${where}, nor in this checkout, nor in the feature list.${didYouMean(near)}`,
    known.size === 0
      ? 'There are none yet: `guardkit feature add "TEXT"` makes the first.'
      : '`guardkit feature list` and `guardkit task list` show what there is.',
  );
}

const MOST_FILES = 10;

function filesOf({ tasks, features }: Work, id: string): string[] {
  const task = tasks.find((one) => one.id === id);
  const feature = features.find((one) => one.id === id);
  return [...new Set(task ? [task.path] : (feature?.files ?? []))].slice(0, MOST_FILES);
}

function idsOf(work: Work | undefined): string[] {
  return work ? [...work.features, ...work.tasks].map(({ id }) => id) : [];
}

function unknown(message: string, hint: string): GuardKitError {
  return new GuardKitError({ code: 'work.unknown', kind: 'input', message, hint });
}
