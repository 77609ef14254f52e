import type { CommandAction, EditAction } from '../action.ts';
import type { Objection } from '../guard.ts';
import type { RealPath } from '../real-path.ts';
import { shownPath } from './protected-words.ts';

/** Ways to write a file by saying what goes into it. Package managers write the same files as a part of their work. */
const DIRECT: ReadonlySet<string> = new Set(
  '> >> >| &> &>> <> cp mv tee install ln sed awk perl ruby dd truncate rsync curl wget sponge patch rm unlink'.split(
    ' ',
  ),
);

/** Files in the home folder that other programs load or run later: a person should know that an agent writes them. */
export function laterUse(action: EditAction | CommandAction): Objection | undefined {
  const files =
    action.kind === 'edit'
      ? action.files.map(({ file }) => file)
      : action.reaches
          .filter(
            ({ mode, by, guess }) =>
              (mode === 'write' || mode === 'delete') && guess === undefined && DIRECT.has(by),
          )
          .map(({ file }) => file);
  const file = files.find(({ inProject, laterUse: use }) => inProject === undefined && use !== undefined);
  return file && objection(file);
}

function objection(file: RealPath): Objection {
  return {
    decision: 'ask',
    unasked: 'warn',
    reason: `This writes ${shownPath(file)}: ${file.laterUse ?? 'other programs use it later'}.`,
    guidance:
      'Keep settings in the project where you can, and install programs with their package manager. Tell the person about this file in your answer.',
  };
}
