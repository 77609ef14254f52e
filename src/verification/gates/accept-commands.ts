import { shellWord } from '../../platform/processes/shell-word.ts';

const SHOWN = 3;

/** The commands with which a person accepts all of these files: with many, one for the folder that contains them. */
export function acceptCommands(paths: readonly string[]): string[] {
  const folder = paths.length > SHOWN ? folderAround(paths) : '';
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
