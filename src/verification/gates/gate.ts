import type { GateResult } from '../../domain/entities/verification.ts';
import { shellWord } from '../../platform/processes/shell-word.ts';
import type { Facts } from '../facts.ts';

/** Compares facts with the requirements and gives the reason in words. */
export interface Gate {
  name: string;
  judge(facts: Facts): Judgement;
}

export interface Judgement extends Pick<GateResult, 'result' | 'required' | 'reason' | 'code' | 'remedy'> {
  warnings?: readonly string[];
  evidence?: readonly string[];
}

/** The code of a gate that is absent because the candidate's set-up failed. */
export const SETUP_FAILED = 'setup-failed';

const SHOWN = 5;

/** The first items of a list and the number of the rest. */
export function some(items: readonly string[], shown = SHOWN): string {
  const rest = items.length - shown;
  return rest > 0 ? `${items.slice(0, shown).join(', ')} and ${rest} more` : items.join(', ');
}

const SHOWN_FILES = 3;

/** The commands with which a person accepts all of these files: with many, one for the folder that contains them. */
export function acceptCommands(paths: readonly string[]): string[] {
  const folder = paths.length > SHOWN_FILES ? folderAround(paths) : '';
  return (folder === '' ? paths : [folder]).map((path) => `\`guardkit accept ${shellWord(path)}\``);
}

function folderAround([first = '', ...others]: readonly string[]): string {
  const parts = first.split('/').slice(0, -1);
  const differs = parts.findIndex((_, index) => {
    const start = `${parts.slice(0, index + 1).join('/')}/`;
    return others.some((path) => !path.startsWith(start));
  });
  return parts.slice(0, differs === -1 ? undefined : differs).join('/');
}
