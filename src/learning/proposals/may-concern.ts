import type { GuardDefinition } from '../../config/guard-files/guard-file.ts';

/**
 * Signs that a shell puts a word together out of pieces, or takes it out of something encoded, so that it does not stand
 * there as such. In the text of a JSON object, whose own quotes and brackets none of these is.
 */
const PUT_TOGETHER =
  /[\w}\])](?:\\?["'])*\$[\w{(]|\$\w+(?:(?:\\?["'])+[\w$]|\$)|\$\{[^}]{0,200}\}(?:\\?["'])*[\w$]|\{[^"}$]|\\\\[xu0-7]|\b(?:base64|xxd|eval)\b/;

/** Whether a kept action, by the text it is kept as, may be one that a guard objects to; false only where it is surely none. */
export type MayConcern = (kind: string, text: string) => boolean;

/** Taking every action apart costs a hundred times as much as looking for a word in it. */
export function mayConcern(definition: GuardDefinition): MayConcern {
  const { commands, paths, tools, fields, kinds } = definition;
  const wholeKinds = (kinds ?? []).filter((kind) => !narrows(kind, definition));
  const pathWords = paths?.map((glob) => [literalPart(glob)]) ?? [];
  const commandWords =
    commands?.map(({ program, subcommand, args = [] }) =>
      [program, subcommand ?? '', ...args].map(literalPart),
    ) ?? [];
  const toolWords = tools?.map((glob) => [literalPart(glob)]) ?? [];
  const fieldWords = fields?.map(({ field }) => [inJson(field)]) ?? [];
  return (kind, text) => {
    if (wholeKinds.some((one) => one === kind)) return true;
    if (hasAll(text, pathWords) || (kind === 'tool' && hasAll(text, toolWords))) return true;
    if (kind === 'edit' && hasAll(text, fieldWords)) return true;
    if (kind !== 'command' || commandWords.length === 0) return false;
    return hasAll(text, commandWords) || PUT_TOGETHER.test(text) || hasAll(withoutQuotes(text), commandWords);
  };
}

/** Of this kind only some actions are judged. */
function narrows(kind: string, { paths, commands, tools, fields }: GuardDefinition): boolean {
  if (kind === 'command') return (commands ?? paths) !== undefined;
  if (kind === 'edit') return (paths ?? fields) !== undefined;
  return (kind === 'read' && paths !== undefined) || (kind === 'tool' && tools !== undefined);
}

function hasAll(text: string, alternatives: readonly (readonly string[])[]): boolean {
  return alternatives.some((words) => words.every((word) => text.includes(word)));
}

/** The longest piece of a glob that has to stand there as it is. */
function literalPart(glob: string): string {
  const pieces = glob.replace(/^\.\//, '').split(/[*?]+/);
  const longest = pieces.reduce((best, piece) => (piece.length > best.length ? piece : best), '');
  return inJson(longest.replace(/^\/+|\/+$/g, ''));
}

function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** A name may be written with quotes in its middle. */
function withoutQuotes(text: string): string {
  return text.includes("'") || text.includes('\\') ? text.replace(/\\[\\"n]|'/g, '') : text;
}
